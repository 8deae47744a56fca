from django.urls import path

from tournaments import views_account

app_name = "account"
urlpatterns = [
    path("login/", views_account.log_in, name="login"),
    path("logout/", views_account.log_out, name="logout"),
    path("password/", views_account.password, name="password"),
    path("setup/", views_account.setup, name="setup"),
    path("join/", views_account.join, name="join"),
]
