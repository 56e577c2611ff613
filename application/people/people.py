"""Display names of users."""

from collections.abc import Collection

from application.people.work import Views


def names_of_users(views: Views, user_ids: Collection[int]) -> dict[int, str]:
    """Return the names on the users' profiles, or their emails.

    The email is used for a user without a profile.
    """
    found = views.names("user_id", user_ids)
    return {**views.names("account_id", set(user_ids) - set(found)), **found}


def name_of_user(views: Views, user_id: int) -> str:
    """Return the name on the user's profile, or the email without one."""
    return names_of_users(views, {user_id}).get(user_id, "")
