"""Use cases of products, rooms, recalls and restock lists."""
