"""What the use cases need from outside: shapes that adapters satisfy without inheriting from them."""
