"""What answers look like over HTTP, and who gets them. Rules belong in domain/, what stores keep in contracts/."""
