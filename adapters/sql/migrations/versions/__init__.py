"""The migrations, one file each, in the order of their numbers. One that was released is never changed."""
