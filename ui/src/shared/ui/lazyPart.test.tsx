import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { expect, it, vi } from 'vitest';
import { render } from '@/test/render';
import { lazyPart } from './lazyPart';

const Part = ({ name }: { name: string }) => <p>{`part ${name}`}</p>;

/** Show a part whose module fails to load at first, `failures` times. */
async function show(failures: number) {
  let left = failures;
  const load = vi.fn(async () => {
    left -= 1;
    if (left >= 0) throw new TypeError('Unable to preload CSS for /assets/part.css');
    return { default: Part };
  });
  const Lazy = lazyPart(load);
  const page = (
    <>
      <p>the rest</p>
      <Suspense>
        <Lazy name="one" />
      </Suspense>
    </>
  );
  await render(page);
  return { load, page };
}

it('says in its place that it could not be loaded', async () => {
  const { load } = await show(3);
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'No se pudo cargar esta parte: no hay conexión.',
  );
  expect(screen.getByText('the rest')).toBeVisible();
  expect(screen.queryByText(/preload/)).toBeNull();
  await waitFor(() => expect(load).toHaveBeenCalledTimes(2));
  await userEvent.click(await screen.findByRole('button', { name: 'Reintentar' }));
  await waitFor(() => expect(load).toHaveBeenCalledTimes(3));
  await userEvent.click(await screen.findByRole('button', { name: 'Reintentar' }));
  expect(await screen.findByText('part one')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('is loaded once the network is back', async () => {
  const { load } = await show(2);
  await waitFor(() => expect(load).toHaveBeenCalledTimes(2));
  await screen.findByRole('button', { name: 'Reintentar' });
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByText('part one')).toBeVisible();
});

it('loads a style sheet again that failed', async () => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.dataset.failed = 'yes';
  document.head.append(link);
  const loaded: Element[] = [];
  const watching = new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof HTMLLinkElement) {
          loaded.push(node);
          node.onload?.(new Event('load'));
        }
  });
  watching.observe(document.head, { childList: true });
  await show(1);
  expect(await screen.findByText('part one')).toBeVisible();
  expect(loaded).toHaveLength(1);
  watching.disconnect();
  for (const each of document.querySelectorAll('link[data-failed]')) each.remove();
});
