"""The picture of the club on a tournament's certificates and screens: uploading, showing, removing.

The uploaded file is never stored: the picture is decoded, made smaller, and encoded anew, without metadata.
"""

import io
import struct
import zlib

from django.conf import settings
from django.db import transaction
from PIL import Image, ImageOps

from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.models import ClubPicture, Tournament
from tournaments.notify import notify
from tournaments.services.quotas import check_room
from tournaments.services.tournaments import lock_tournament

LONGEST_SIDE = 1600
"""In pixels of the stored picture. Printed at most 23 cm wide, that is at least 170 per inch."""
LONGEST_CAPTION = 80
_FORMATS = ("JPEG", "PNG")
_QUALITY = 90


def set_picture(tournament: Tournament, uploaded: bytes) -> None:
    """Store an uploaded picture, replacing an earlier one. Refuses as `jpeg_of` and `check_room` do."""
    check_room()
    jpeg = jpeg_of(uploaded)
    with transaction.atomic():
        locked = lock_tournament(tournament)
        ClubPicture.objects.update_or_create(tournament=locked, defaults={"jpeg": jpeg})
        notify(locked.slug, "screens")


def show_picture(tournament: Tournament, *, on_wall: bool, caption: str) -> None:
    """Show the picture on the screens with a caption, or no longer. Refuses an invalid caption and no_picture_yet."""
    values = {"on_wall": on_wall, "caption": clean_text(caption, most=LONGEST_CAPTION)}
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if not ClubPicture.objects.filter(tournament=locked).update(**values):
            raise Refusal("no_picture_yet")
        notify(locked.slug, "screens")


def remove_picture(tournament: Tournament) -> None:
    with transaction.atomic():
        locked = lock_tournament(tournament)
        ClubPicture.objects.filter(tournament=locked).delete()
        notify(locked.slug, "screens")


def jpeg_of(uploaded: bytes) -> bytes:
    """Return the picture of a JPEG or PNG file, upright and on white, as a JPEG without metadata.

    The number of pixels is read from the header before anything is unpacked. Refuses picture_too_large
    (most, in megabytes), picture_of_too_many_pixels (most, in millions), picture_unreadable.
    """
    if len(uploaded) > settings.PICTURE_BYTES:
        raise Refusal("picture_too_large", most=settings.PICTURE_BYTES // 1_000_000)
    too_many = Refusal("picture_of_too_many_pixels", most=settings.PICTURE_PIXELS // 1_000_000)
    try:
        with Image.open(io.BytesIO(uploaded), formats=_FORMATS) as image:
            if image.width * image.height > settings.PICTURE_PIXELS:
                raise too_many
            return _encoded(image)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise too_many from None
    except _UNREADABLE:
        raise Refusal("picture_unreadable") from None


# The exceptions that Pillow raises on invalid files.
_UNREADABLE = (
    OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, EOFError, OverflowError, struct.error, zlib.error,
)  # fmt: skip


def _encoded(image: Image.Image) -> bytes:
    if image.mode.startswith("I"):  # grey in 16 bits, which `convert` would cut off at 255
        image = image.convert("I").point(lambda grey: grey / 256).convert("L")
    is_ready = image.mode in ("RGB", "RGBA", "L", "CMYK") and "transparency" not in image.info
    picture = image if is_ready else image.convert("RGBA")
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    picture = ImageOps.exif_transpose(picture)
    paper = Image.new("RGB", picture.size, "white")
    paper.paste(picture.convert("RGB"), mask=picture.getchannel("A") if picture.mode == "RGBA" else None)
    file = io.BytesIO()
    paper.save(file, "JPEG", quality=_QUALITY, optimize=True)
    return file.getvalue()
