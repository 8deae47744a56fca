"""Start of the program on a laptop: command line, addresses, certificate, the browser, the end."""
