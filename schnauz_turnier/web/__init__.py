"""The ASGI layers around Django: limits, ids of requests, log, metrics, kept answers, calls of phones, static files."""
