"""URLs of accounts, under /account/."""

from django.urls import path

from tournaments.accounts import views

app_name = "account"
urlpatterns = [
    path("login/", views.log_in, name="login"),
    path("logout/", views.log_out, name="logout"),
    path("password/", views.password, name="password"),
    path("setup/", views.setup, name="setup"),
    path("join/", views.join, name="join"),
]
