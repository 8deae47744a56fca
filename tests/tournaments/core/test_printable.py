import pytest

from tournaments.core.printable import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Müller, 3,00 € – „Käs“ ½ 𝄞", "Müller, 3,00 € – „Käs“ ½ 𝄞"),
        ("\x1b]0;mine\x07", "\ufffd]0;mine\ufffd"),
        ("\x9b2J", "\ufffd2J"),
        ("two\r\nlines", "two\ufffd\ufffdlines"),
        ("Ma\u202eyer\u200b\ue000\ud800", "Ma\ufffdyer\ufffd\ufffd\ufffd"),
        (7, "7"),
    ],
)
def test_characters_that_a_terminal_obeys_or_hides_are_replaced(text: object, shown: str) -> None:
    assert printable(text) == shown
