"""A mail server that keeps what it is sent."""

import re
import socket
import threading
from email import message_from_string, policy
from email.message import EmailMessage
from types import TracebackType
from typing import Self, TextIO


class Mailbox:
    """Listens on a port of this machine, for one sender after the other. letters: what came, the oldest first."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._receive)

    @property
    def url(self) -> str:
        """Return what EMAIL_URL is to say."""
        return f"smtp://127.0.0.1:{self._socket.getsockname()[1]}?from=turnier@example.org"

    def link(self) -> str:
        """Return the link in the latest letter."""
        text = self.letters[-1].get_content()
        [link] = re.findall(r"^https?://\S+$", text, re.MULTILINE)
        return str(link)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def _receive(self) -> None:
        while True:
            try:
                sender, _address = self._socket.accept()
            except OSError:  # closed
                return
            with sender, sender.makefile("rw", encoding="utf-8") as line:
                self._talk(line)

    def _talk(self, line: TextIO) -> None:
        """Speak as much of SMTP as Django's sender needs."""

        def say(answer: str) -> None:
            line.write(f"{answer}\r\n")
            line.flush()

        say("220 mailbox")
        while command := line.readline().strip().upper():
            if command == "QUIT":
                say("221 bye")
                return
            if command != "DATA":
                say("250 ok")
                continue
            say("354 go on")
            letter = "".join(iter(line.readline, ".\n"))
            self.letters.append(message_from_string(letter, policy=policy.default))
            say("250 kept")
