"""What people are called."""

from collections.abc import Collection

from application.ports.views import Views


def names_of_users(views: Views, user_ids: Collection[int]) -> dict[int, str]:
    """The names on the users' profiles; the emails of those who have none."""
    found = views.names("user_id", user_ids)
    return {**views.names("account_id", set(user_ids) - set(found)), **found}


def name_of_user(views: Views, user_id: int) -> str:
    """The name on the user's profile; the email of one who has none."""
    return names_of_users(views, {user_id}).get(user_id, "")
