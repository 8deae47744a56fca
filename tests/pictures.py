"""Pictures in the tests."""

import io
import struct
import zlib

from PIL import Image


def a_picture(
    width: int = 40,
    height: int = 30,
    *,
    mode: str = "RGB",
    colour: object = "red",
    kind: str = "PNG",
    **how: object,
) -> bytes:
    """Return a picture of one colour as the bytes of a file."""
    file = io.BytesIO()
    Image.new(mode, (width, height), colour).save(file, kind, **how)  # type: ignore[arg-type]
    return file.getvalue()


def a_png_that_says(width: int, height: int) -> bytes:
    """Return a small PNG file whose head claims these sides."""
    real = a_picture(1, 1)
    head = b"IHDR" + struct.pack(">II", width, height) + b"\x08\x02\0\0\0"
    return real[:12] + head + struct.pack(">I", zlib.crc32(head)) + real[33:]
