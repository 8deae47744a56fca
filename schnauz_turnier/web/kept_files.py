"""Answers that a browser keeps for ever, without what it would need to ask about them again."""

from schnauz_turnier.web.asgi_types import App, Message, Receive, Scope, Send

_QUESTIONS = (b"etag", b"last-modified")


class KeptFiles:
    """ASGI application around `app`. A sheet is two dozen files, and each of these lines is as long as a tenth of a small one."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_shorter(message: Message) -> None:
            headers = message.get("headers", [])
            if message["type"] == "http.response.start" and any(
                b"immutable" in value for _, value in headers
            ):
                lines = [(name, value) for name, value in headers if name.lower() not in _QUESTIONS]
                message = {**message, "headers": lines}
            await send(message)

        await self._app(scope, receive, send_shorter)
