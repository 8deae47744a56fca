"""The project. Its version stands here and nowhere else: of the wheel, at the foot of each page, of `--version`."""

__version__ = "1.1.0"
