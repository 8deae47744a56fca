"""URLs of the organiser's tournaments, under /o/; the project joins them with the list of tournaments and those of the rounds."""

from django.urls import path

from tournaments.organiser import fees, sign_ups, views

urlpatterns = [
    path("+/", views.new, name="new"),
    path("<slug:slug>/settings/", views.settings, name="settings"),
    path("<slug:slug>/settings/fees/", fees.fees, name="fees"),
    path("<slug:slug>/sign-ups/", sign_ups.sign_ups, name="sign_ups"),
    path("<slug:slug>/sign-ups/poster/", sign_ups.poster, name="sign_up_poster"),
    path("<slug:slug>/settings/people/", views.members, name="members"),
    path("<slug:slug>/settings/people/invite/", views.invite, name="invite"),
    path(
        "<slug:slug>/settings/people/invitations/<number:invitation_id>/withdraw/",
        views.withdraw_invitation,
        name="withdraw_invitation",
    ),
    path("<slug:slug>/settings/people/<number:user_id>/remove/", views.remove_member, name="remove_member"),
]
