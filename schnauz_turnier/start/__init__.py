"""Start of the program on a laptop: command line, addresses, certificate, browser, stop signals."""
