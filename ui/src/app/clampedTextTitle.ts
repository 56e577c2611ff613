const isCutOff = (text: HTMLElement) =>
  text.dataset.clamped !== undefined && text.scrollHeight > text.clientHeight;

/** Tells the whole of what is cut off where one points: of a row all of it, for a link may lie over its cells. */
document.addEventListener('pointerover', ({ target }) => {
  const pointedAt = target instanceof Element && target.closest<HTMLElement>('tr, li, [data-clamped]');
  if (!pointedAt) return;
  const texts = [pointedAt, ...pointedAt.querySelectorAll<HTMLElement>('[data-clamped]')];
  pointedAt.title = texts
    .filter(isCutOff)
    .map(({ textContent }) => textContent)
    .join('\n');
});

export {};
