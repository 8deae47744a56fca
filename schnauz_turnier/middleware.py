from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_only_middleware


@sync_only_middleware
def one_thread(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Innermost: a request crosses from the event loop to its thread once, not twice for each middleware.

    Django builds the chain from the inside and keeps it synchronous from here on. Half the processor time a page.
    """
    return get_response
