"""The live stream: changes that a process hears, and the readers that it tells of them."""
