"""What shows that Consumo does what it says. Here: all of it, its command, small adapters; the rest in the folders."""
