"""Signatures of writes: keyword arguments that most services take and pass on."""

from datetime import datetime
from typing import NotRequired, TypedDict


class Signature(TypedDict):
    """The account that writes ("" for a player's own phone), and the moment in UTC."""

    by: str
    at: datetime


class Booking(Signature):
    """The same, and the name of the cash desk under which money is booked; "" by default."""

    desk: NotRequired[str]
