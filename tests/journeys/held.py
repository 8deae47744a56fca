"""Answers of the server that are held back until a test lets them go."""

from playwright.sync_api import Page, Route

MOST_LOOKS = 1_000


class SlowServer:
    """The answers from an address are held back until `answers` is called."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.held: list[Route] = []
        page.route(address, self._hold)

    def _hold(self, route: Route) -> None:
        self.held.append(route)

    def has(self, count: int) -> None:
        """Wait until so many requests wait for their answer."""
        for _ in range(MOST_LOOKS):
            if len(self.held) >= count:
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"{len(self.held)} requests were sent, not {count}")

    def answers(self) -> None:
        """Answer the request that was sent first."""
        self.has(1)
        with self.page.expect_response(self.held[0].request.url):
            self.held.pop(0).continue_()
