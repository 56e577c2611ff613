import { expect, it } from 'vitest';

/** A copy of the module that has loaded nothing yet. */
const aFreshCopy = (): Promise<typeof import('./messages')> =>
  import(/* @vite-ignore */ `./messages.ts?copy=${Math.random()}&lang.ts`);

it('lets every page that opens meanwhile wait for the later texts', async () => {
  const { loadLaterMessages, text } = await aFreshCopy();
  const first = loadLaterMessages();
  await loadLaterMessages();
  expect(text('reports.byThat', { what: 'mes' })).not.toBe('reports.byThat');
  await first;
});

it('has the later texts of a language that is chosen meanwhile', async () => {
  const { currentLanguage, loadLaterMessages, loadMessages, text } = await aFreshCopy();
  const loaded = loadLaterMessages();
  const chosen = loadMessages('en');
  await loaded;
  expect(currentLanguage().language).toBe('en');
  expect(text('reports.byThat', { what: 'mes' })).not.toBe('reports.byThat');
  await chosen;
});
