// Before the page is drawn: the color scheme that was chosen in the application.
try {
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.scheme = chosen;
} catch {
  // Without storage, the scheme of the system applies.
}
