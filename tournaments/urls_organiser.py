from django.urls import path

from tournaments import views_door, views_exclusion, views_lists, views_organiser

app_name = "organiser"
urlpatterns = [
    path("", views_organiser.home, name="home"),
    path("+/", views_organiser.new, name="new"),
    path("<slug:slug>/settings/", views_organiser.settings, name="settings"),
    path("<slug:slug>/settings/people/", views_organiser.members, name="members"),
    path("<slug:slug>/settings/people/invite/", views_organiser.invite, name="invite"),
    path(
        "<slug:slug>/settings/people/<int:user_id>/remove/",
        views_organiser.remove_member,
        name="remove_member",
    ),
    path("<slug:slug>/door/", views_door.door, name="door"),
    path("<slug:slug>/door/list/", views_door.listing, name="door_list"),
    path("<slug:slug>/door/register/", views_door.register, name="door_register"),
    path("<slug:slug>/door/desk/", views_door.name_desk, name="door_desk"),
    path("<slug:slug>/door/roll-call/", views_door.roll_call, name="roll_call"),
    path("<slug:slug>/door/people/<int:start_number>/", views_door.person, name="person"),
    path("<slug:slug>/door/people/<int:start_number>/exclude/", views_exclusion.exclude, name="exclude"),
    path("<slug:slug>/door/people/<int:start_number>/readmit/", views_exclusion.readmit, name="readmit"),
    path("<slug:slug>/door/people/<int:start_number>/<slug:action>/", views_door.act, name="door_act"),
    path("<slug:slug>/door/import/", views_lists.import_list, name="door_import"),
    path("<slug:slug>/door/cash/", views_lists.cash, name="cash"),
    path(
        "<slug:slug>/door/participants.<slug:kind>",
        views_lists.download_participants,
        name="participants_file",
    ),
    path("<slug:slug>/door/payments.<slug:kind>", views_lists.download_payments, name="payments_file"),
]
