"""What people are called."""

from application.ports.views import Views


def name_of_user(views: Views, user_id: int) -> str:
    """The name on the user's profile; the email of one who has none."""
    found = views.names("user_id", {user_id}) or views.names("account_id", {user_id})
    return found.get(user_id, "")
