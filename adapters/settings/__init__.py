"""Every setting, declared once, and the settings of a process."""
