"""The built client in Chromium on a real server: what only a browser can show. The rest belongs in ui/src."""
