/** Focus the heading of a group, because the button that had the focus is gone. */
export const focusGroup = (id: string) =>
  (document.getElementById(id) ?? document.getElementById('content'))?.focus();
