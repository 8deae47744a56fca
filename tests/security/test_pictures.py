"""Pictures of the club: what is uploaded is a picture, small, and seen by nobody else until the screens show it; with a control each."""

import io

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from django.urls import reverse
from PIL import Image

from scoring.services.purge import delete_tournament
from tests.factories import AT, TournamentFactory, UserFactory
from tests.pictures import a_picture, a_png_that_says
from tournaments.core.refusal import Refusal
from tournaments.models import ClubPicture, Membership, Tournament
from tournaments.services.pictures import LONGEST_SIDE, jpeg_of, set_picture

pytestmark = pytest.mark.django_db

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


@pytest.fixture
def tournament() -> Tournament:
    return TournamentFactory.create(owner=UserFactory.create())


@pytest.fixture
def organiser(tournament: Tournament) -> Client:
    return browser_of(tournament, "organiser")


def browser_of(tournament: Tournament, role: str) -> Client:
    user = UserFactory.create()
    Membership.objects.create(tournament=tournament, user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


def upload(client: Client, tournament: Tournament, data: bytes, name: str = "wappen.png") -> tuple[int, str]:
    answer = client.post(
        reverse("organiser:set_picture", args=[tournament.slug]), {"picture": SimpleUploadedFile(name, data)}
    )
    return answer.status_code, answer.content.decode()


def served(client: Client, tournament: Tournament) -> bytes:
    answer = client.get(reverse("organiser:print_picture", args=[tournament.slug]))
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
    assert "no-store" in answer["Cache-Control"]
    return answer.content


def refusal_of(data: bytes) -> str:
    with pytest.raises(Refusal) as caught:
        jpeg_of(data)
    return caught.value.code


@pytest.mark.parametrize(
    "data",
    [
        a_picture(),
        a_picture(kind="JPEG"),
        a_picture(mode="RGBA", colour=(255, 0, 0, 255)),
        a_picture(mode="P", colour=0),
        a_picture(mode="L", colour=90),
        a_picture(mode="1", colour=1),
        a_picture(mode="CMYK", colour=(0, 255, 255, 0), kind="JPEG"),
    ],
)
def test_a_picture_is_taken_and_served_as_a_jpeg(
    organiser: Client, tournament: Tournament, data: bytes
) -> None:
    assert upload(organiser, tournament, data)[0] == 302
    with Image.open(io.BytesIO(served(organiser, tournament))) as picture:
        assert (picture.format, picture.mode, picture.size) == ("JPEG", "RGB", (40, 30))


@pytest.mark.parametrize(
    "data",
    [
        SVG,
        b"",
        b"GIF89a" + b"\0" * 100,
        b"<html><script>alert(1)</script>",
        b"\x89PNG\r\n\x1a\n" + SVG,
        b"\xff\xd8\xff\xe0" + SVG,
        a_picture(kind="GIF"),
        a_picture(kind="WEBP"),
        a_picture(kind="TIFF"),
        a_picture(kind="BMP"),
        a_picture()[:-30],
        a_picture(300, 300, kind="JPEG")[:400],
    ],
)
def test_what_is_no_jpeg_or_png_is_refused_by_its_content_whatever_it_is_called(
    organiser: Client, tournament: Tournament, data: bytes
) -> None:
    set_picture(tournament, a_picture())
    before = served(organiser, tournament)
    status, page = upload(organiser, tournament, data)
    assert status == 422
    assert "JPEG oder PNG. Bitte eine andere Datei wählen." in page
    assert served(organiser, tournament) == before


def test_without_a_file_the_page_says_what_to_do(organiser: Client, tournament: Tournament) -> None:
    answer = organiser.post(reverse("organiser:set_picture", args=[tournament.slug]))
    assert answer.status_code == 422
    assert "Bitte erst eine Datei wählen" in answer.content.decode()
    assert not ClubPicture.objects.exists()


@pytest.mark.parametrize(
    ("width", "height"), [(60_000, 60_000), (4001, 4000), (2**31 - 1, 1), (15_000, 7_000)]
)
@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_a_bomb_is_refused_by_what_its_head_says(width: int, height: int) -> None:
    bomb = a_png_that_says(width, height)
    assert len(bomb) < 200
    assert refusal_of(bomb) == "picture_of_too_many_pixels"


def test_a_file_that_says_as_many_pixels_as_allowed_is_unpacked() -> None:
    """The control: only then it is found out that nothing is in it."""
    assert refusal_of(a_png_that_says(4000, 4000)) == "picture_unreadable"


def test_as_many_pixels_as_allowed_are_made_smaller() -> None:
    """The control: the same picture is a bomb where one pixel less is allowed."""
    side = 4000
    assert side * side == settings.PICTURE_PIXELS
    large = a_picture(side, side, mode="1", colour=1)
    with Image.open(io.BytesIO(jpeg_of(large))) as picture:
        assert picture.size == (LONGEST_SIDE, LONGEST_SIDE)
    with override_settings(PICTURE_PIXELS=side * side - 1):
        assert refusal_of(large) == "picture_of_too_many_pixels"


def test_a_file_above_the_limit_is_refused_though_it_is_a_picture(
    organiser: Client, tournament: Tournament
) -> None:
    padded = a_picture() + b"\0" * settings.PICTURE_BYTES
    status, page = upload(organiser, tournament, padded)
    assert (status, "höchstens 2 MB" in page) == (422, True)
    assert not ClubPicture.objects.exists()
    assert upload(organiser, tournament, padded[: settings.PICTURE_BYTES])[0] == 302


def test_what_is_served_is_not_what_was_uploaded(organiser: Client, tournament: Tournament) -> None:
    """Neither a place of taking, nor a comment, nor a page that hides behind the picture."""
    exif = Image.Exif()
    exif[0x010E] = "Aufgenommen daheim"
    hiding = a_picture(kind="JPEG", exif=exif, comment=b"geheim") + SVG
    assert b"Aufgenommen daheim" in hiding
    assert b"geheim" in hiding
    upload(organiser, tournament, hiding)
    stored = served(organiser, tournament)
    assert not any(part in stored for part in (b"Aufgenommen", b"geheim", b"script", b"Exif"))


def test_a_photo_is_upright_and_a_transparent_coat_of_arms_is_on_white() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by 90 degrees
    with Image.open(io.BytesIO(jpeg_of(a_picture(40, 30, kind="JPEG", exif=exif)))) as photo:
        assert photo.size == (30, 40)
    for clear in (
        a_picture(mode="RGBA", colour=(0, 0, 0, 0)),
        a_picture(colour=(1, 2, 3), transparency=(1, 2, 3)),
        a_picture(mode="P", colour=0, transparency=0),
    ):
        with Image.open(io.BytesIO(jpeg_of(clear))) as arms:
            assert arms.getpixel((5, 5)) == (255, 255, 255)
    with Image.open(io.BytesIO(jpeg_of(a_picture(mode="I;16", colour=30_000)))) as grey:
        assert grey.getpixel((5, 5)) == (117, 117, 117)


def test_only_organisers_of_the_tournament_see_replace_or_remove_it(
    organiser: Client, tournament: Tournament
) -> None:
    set_picture(tournament, a_picture())
    before = served(organiser, tournament)  # the control
    addresses = [
        reverse(f"organiser:{name}", args=[tournament.slug]) for name in ("set_picture", "remove_picture")
    ]
    picture = reverse("organiser:print_picture", args=[tournament.slug])
    others = [
        Client(),
        browser_of(TournamentFactory.create(), "organiser"),
        browser_of(tournament, "cashier"),
    ]
    for client in others:
        assert client.get(picture).status_code in (302, 404)
        for address in addresses:
            assert client.post(address).status_code in (302, 401, 404)
    assert served(organiser, tournament) == before
    answer = organiser.post(addresses[1])
    assert (answer.status_code, ClubPicture.objects.exists()) == (302, False)


def test_anybody_sees_it_as_long_as_the_screens_show_it(organiser: Client, tournament: Tournament) -> None:
    set_picture(tournament, a_picture())
    address = reverse("public:club_picture", args=[tournament.slug])
    seen = [Client().get(address).status_code]
    for sent in ({"on_wall": "on", "caption": "Danke"}, {"caption": "Danke"}):
        assert (
            organiser.post(reverse("organiser:show_picture", args=[tournament.slug]), sent).status_code == 302
        )
        answer = Client().get(address)
        seen.append(answer.status_code)
        if answer.status_code == 200:
            assert answer.content == served(organiser, tournament)
    assert seen == [404, 200, 404]


def test_another_tournament_has_none_of_it_and_it_goes_with_its_tournament(tournament: Tournament) -> None:
    other = TournamentFactory.create()
    client = browser_of(other, "organiser")
    set_picture(tournament, a_picture())
    assert client.get(reverse("organiser:print_picture", args=[other.slug])).status_code == 404
    set_picture(other, a_picture(colour="blue"))
    delete_tournament(tournament, typed=tournament.name, by="leitung", at=AT)
    assert list(ClubPicture.objects.values_list("tournament", flat=True)) == [other.pk]
