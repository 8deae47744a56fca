"""Access to the operator's pages, of the owner of the operator's accounts, with a second factor."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from schnauz_turnier.clubs.catalogue import UnknownClub
from tournaments.access import View, owner_view
from tournaments.requests import StaffRequest
from tournaments.services.second_factor import has_second_factor


def operator_view(*methods: str) -> Callable[[Callable[..., HttpResponse]], View]:
    """Allow the operator; an owner without a second factor is led to its page first. A club that is not there is not found.

    A form may be answered twice, since a transaction belongs to one club: each view leads to a state, whatever it was before.
    """

    def decorate(view: Callable[..., HttpResponse]) -> View:
        @wraps(view)
        def with_second_factor(request: StaffRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not has_second_factor(request.user):
                messages.warning(
                    request, _("Wer alle Vereine verwaltet, braucht beim Anmelden einen zweiten Faktor.")
                )
                return redirect("account:second_factor")
            try:
                return view(request, *args, **kwargs)
            except UnknownClub:
                raise Http404 from None

        return owner_view(*methods, once=False)(with_second_factor)

    return decorate
