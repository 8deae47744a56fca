"""The live stream: changes that a process receives, and the subscribers to which it sends them."""
