import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { aNurse, aSupervisor } from '@/test/people';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { setRecordDelay } from '@/test/setRecordDelay';
import {
  aDetail,
  at,
  gauze,
  glove,
  largeGlove,
  product,
  quantity,
  record,
  rows,
  serveWard,
  whereMatches,
} from '@/test/ward';

setRecordDelay(20);

describe('the usual products', () => {
  /** Open the list under the empty field. */
  async function areThere() {
    await userEvent.click(await product());
    await screen.findAllByRole('option');
    await userEvent.keyboard('{Escape}');
  }

  it('are chosen by number and Enter, and keep their numbers', async () => {
    const ward = serveWard();
    ward.usual = [gauze, glove, largeGlove];
    await render({ at }, { user: aSupervisor() });
    // At the pace of a person; a scanner sends Enter at once.
    await userEvent.type(await product(), '2{Enter}', { delay: 60 });
    expect(await product()).toHaveValue('Guante de nitrilo M');
    expect(quantity()).toHaveFocus();
    await userEvent.keyboard('4{Enter}');
    await waitFor(() => expect(ward.sent).toMatchObject([{ product_id: 2, quantity: 4 }]));
    await waitFor(() => expect(rows()).toHaveLength(1));
    ward.usual = [glove];
    await userEvent.keyboard('3{Enter}');
    expect(await product()).toHaveValue('Guante de nitrilo G');
    expect(ward.searched).toEqual([]);
  });

  it('are chosen with an arrow key and Enter', async () => {
    serveWard().usual = [gauze, glove];
    await render({ at }, { user: aSupervisor() });
    await areThere();
    await userEvent.click(quantity());
    await userEvent.tab({ shift: true });
    await userEvent.keyboard('{ArrowDown}');
    expect(screen.getAllByRole('option')).toHaveLength(2);
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(await product()).toHaveValue('Guante de nitrilo M');
    expect(quantity()).toHaveFocus();
  });

  it('are not chosen by Enter alone or by a text after the number', async () => {
    const ward = serveWard();
    ward.usual = [gauze, glove];
    await render({ at }, { user: aSupervisor() });
    await areThere();
    await userEvent.type(await product(), '{Enter}{Enter}');
    expect(await product()).toHaveValue('');
    await userEvent.keyboard('2 ml{Enter}');
    await waitFor(() => expect(ward.searched).toContain('2 ml'));
    expect(await product()).toHaveValue('2 ml');
  });

  it('are chosen by a tap under the empty field', async () => {
    serveWard({ seesPrices: false }).usual = [gauze, glove];
    await render({ at }, { user: aNurse() });
    await areThere();
    await userEvent.click(await product());
    await userEvent.click(screen.getByRole('option', { name: /Guante de nitrilo M/ }));
    expect(quantity()).toHaveFocus();
    expect(await product()).toHaveValue('Guante de nitrilo M');
  });

  it('are one tab stop beside the lines of a wide screen', async () => {
    serveWard({ seesPrices: false }).usual = [gauze, glove];
    whereMatches('100em');
    await render({ at }, { user: aNurse() });
    await userEvent.click(await screen.findByRole('button', { name: 'Guante de nitrilo M GR-2 · par' }));
    expect(quantity()).toHaveFocus();
    expect(await product()).toHaveValue('Guante de nitrilo M');
    screen.getByRole('button', { name: /^Gasa estéril GR-1/ }).focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(screen.getByRole('button', { name: 'Guante de nitrilo M GR-2 · par' })).toHaveFocus();
    await userEvent.keyboard('{ArrowUp}{Enter}');
    expect(await product()).toHaveValue('Gasa estéril');
  });

  it('are pinned by their star in the list or in the bar', async () => {
    whereMatches('min-width: 100em');
    const ward = serveWard();
    ward.usual = [glove, gauze];
    ward.pinned = [glove.id];
    await render({ at }, { user: aNurse() });
    const star = (one: typeof gauze) => screen.findByRole('button', { name: `Fijar: ${nameAndCode(one)}` });
    expect(await star(glove)).toHaveAttribute('aria-pressed', 'true');
    expect(await star(gauze)).toHaveAttribute('aria-pressed', 'false');
    await userEvent.click(await star(gauze));
    await waitFor(async () => expect(await star(gauze)).toHaveAttribute('aria-pressed', 'true'));
    // The order does not change while the page is open.
    expect(screen.getAllByRole('button', { name: /^(Guante|Gasa)/ })[0]).toHaveAccessibleName(
      /^Guante de nitrilo M/,
    );
    await userEvent.click(await star(glove));
    await waitFor(() => expect(ward.pinned).toEqual([gauze.id]));
    await userEvent.type(await product(), 'guante{Enter}');
    await screen.findByRole('option', { name: new RegExp(largeGlove.name) });
    await userEvent.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(quantity()).toHaveFocus());
    await userEvent.click(await star(largeGlove));
    await waitFor(() => expect(ward.pinned).toEqual([gauze.id, largeGlove.id]));
  });

  it('say which number is new in this shift, in the list and in hand', async () => {
    whereMatches('min-width: 100em');
    const ward = serveWard();
    ward.usual = [gauze, glove];
    ward.changed = [glove.id];
    await render({ at }, { user: aNurse() });
    const text = 'n.º 2 nuevo en este turno';
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
    await userEvent.type(await product(), '2{Enter}');
    await waitFor(() => expect(quantity()).toHaveFocus());
    expect((await product()).closest('form')).toHaveTextContent(`GR-2 · par${text}`);
    expect(screen.queryByText(/n\.º 1/)).toBeNull();
  });

  it('may be missing without harm', async () => {
    serveWard();
    server.use(http.get('/api/consumption-sheets/1/usual-products', () => HttpResponse.error()));
    await render({ at }, { user: aSupervisor() });
    await record('gasa', '1');
    await waitFor(() => expect(rows()).toHaveLength(1));
  });
});

describe('the side panel of a wide screen', () => {
  const today = '2026-11-21T12:00:00Z';
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(today) }));
  const details = [
    aDetail(4, { created_at: today, total: 0.1 }),
    aDetail(3, { created_at: today, total: 0.2 }),
    aDetail(2, { total: 9 }),
  ];

  it('shows today by category, and who recorded', async () => {
    serveWard({ details });
    whereMatches('100em');
    await render({ at }, { user: aSupervisor() });
    const panel = within(await screen.findByRole('region', { name: 'La hoja de un vistazo' }));
    expect(await panel.findByText('Guantes')).toBeVisible();
    expect(panel.getByText('$0,30')).toBeVisible();
    expect(panel.getByText('Lucía Paredes')).toBeVisible();
  });

  it('shows ward staff no money', async () => {
    serveWard({ details, seesPrices: false });
    whereMatches('100em');
    await render({ at }, { user: aNurse() });
    const panel = within(await screen.findByRole('region', { name: 'La hoja de un vistazo' }));
    expect(await panel.findByText('2 líneas')).toBeVisible();
    expect(document.body.textContent).not.toContain('$');
  });
});
