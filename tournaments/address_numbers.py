"""Numbers in addresses: `<number:...>` in every urls.py.

A number has one spelling. Django's `<int:...>` takes leading zeros, so guests could ask for one page under ever new addresses.
"""

LARGEST = 2**31 - 1
"""What a column of the database holds."""


class NumberConverter:
    """Path converter for numbers from 0 to LARGEST, without leading zeros."""

    regex = "0|[1-9][0-9]{0,9}"

    def to_python(self, value: str) -> int:
        number = int(value)
        if number > LARGEST:
            raise ValueError(value)
        return number

    def to_url(self, value: int) -> str:
        return str(value)
