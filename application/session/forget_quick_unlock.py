"""Delete the PIN, and the badges, of an account."""

from application.ports.unit_of_work import UnitOfWork


def forget_quick_unlock(work: UnitOfWork, user_id: int, *, badges: bool = False) -> None:
    """Delete the PIN of an account whose password changes.

    With ``badges``, for an account that is deleted, its badges are deleted too.
    """
    work.pins.remove(user_id)
    if badges:
        work.badges.remove_all([badge.id for badge in work.badges.find_many("user_id", [user_id])])
