"""All pages in a browser: dialogs, languages, loading and the manual."""
