"""URLs of accounts, under /account/."""

from django.urls import path

from tournaments.accounts import emails, views
from tournaments.accounts.owner import club, record, roles
from tournaments.accounts.owner import views as owner
from tournaments.accounts.second_factor import views as second_factor

app_name = "account"
urlpatterns = [
    path("login/", views.log_in, name="login"),
    path("logout/", views.log_out, name="logout"),
    path("password/", views.password, name="password"),
    path("code/", second_factor.code, name="code"),
    path("second-factor/", second_factor.second_factor, name="second_factor"),
    path("second-factor/begin/", second_factor.begin_second_factor, name="begin_second_factor"),
    path("second-factor/confirm/", second_factor.confirm, name="confirm_second_factor"),
    path("second-factor/end/", second_factor.end, name="end_second_factor"),
    path(
        "second-factor/recovery-codes/",
        second_factor.renew_recovery_codes,
        name="renew_recovery_codes",
    ),
    path("password/new/", views.new_password, name="new_password"),
    path("password/forgotten/", emails.forgotten, name="forgotten"),
    path("email/", emails.email, name="email"),
    path("email/confirm/", emails.confirm, name="confirm_email"),
    path("setup/", views.setup, name="setup"),
    path("join/", views.join, name="join"),
    path("all/", owner.accounts, name="accounts"),
    path("all/<number:user_id>/close/", owner.close, name="close"),
    path("all/<number:user_id>/link/", owner.make_link, name="make_link"),
    path(
        "all/<number:user_id>/second-factor/remove/", owner.remove_second_factor, name="remove_second_factor"
    ),
    path("all/<number:user_id>/club-role/", roles.set_club_role, name="set_club_role"),
    path("all/invite/", roles.invite, name="invite"),
    path(
        "all/invitations/<number:invitation_id>/withdraw/",
        roles.withdraw_invitation,
        name="withdraw_invitation",
    ),
    path("club/", club.club, name="club"),
    path("club/record/", record.record, name="record"),
    path("log/", owner.log, name="log"),
    path("cash/<number:year>/", owner.year_book, name="year_book"),
    path("cash/<number:year>.<slug:kind>", owner.download_year_book, name="year_book_file"),
    path("deletions/", owner.deletions, name="deletions"),
]
