const isCutOff = (text: HTMLElement) =>
  text.dataset.clamped !== undefined && !text.dataset.entire && text.scrollHeight > text.clientHeight;

/** Give clamped text a tooltip with all of it. A link may cover the cells of a row, so the row gets the tooltip. */
document.addEventListener('pointerover', ({ target }) => {
  const pointedAt = target instanceof Element && target.closest<HTMLElement>('tr, li, [data-clamped]');
  if (!pointedAt) return;
  const texts = [pointedAt, ...pointedAt.querySelectorAll<HTMLElement>('[data-clamped]')];
  pointedAt.title = texts
    .filter(isCutOff)
    .map(({ dataset, textContent }) => dataset.whole ?? textContent)
    .join('\n');
});

export {};
