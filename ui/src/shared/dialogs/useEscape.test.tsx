import { Drawer } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { type AreaView, useListAreasQuery } from '@/api/generated';
import { DateField } from '@/shared/forms/DateField';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';
import { ConfirmProvider, useConfirm } from './Confirm';
import { Dialog } from './Dialog';
import { useEscape } from './useEscape';

beforeEach(() => {
  server.use(http.get('/api/areas', () => HttpResponse.json(aPage([{ id: 4, name: 'Cirugía' }]))));
});

const useAreas = (q: string | undefined, skip: boolean) => useListAreasQuery({ q, limit: 100 }, { skip });

function Panel() {
  const [opened, setOpened] = useState(true);
  useEscape(opened, () => setOpened(false));
  return <Drawer opened={opened} onClose={() => setOpened(false)} title="Cajón" />;
}

function Page() {
  const [opened, setOpened] = useState(true);
  const confirm = useConfirm();
  return (
    <>
      <Panel />
      <Dialog opened={opened} onClose={() => setOpened(false)} title="Diálogo">
        <DateField label="Día" />
        <SearchSelect<AreaView>
          label="Área"
          onChange={() => {}}
          useFound={useAreas}
          nameOf={({ name }) => name}
        />
        <button
          type="button"
          onClick={() => confirm({ question: 'details.move.question', action: 'details.move' })}
        >
          Preguntar
        </button>
      </Dialog>
    </>
  );
}

const open = () =>
  render(
    <ConfirmProvider>
      <Page />
    </ConfirmProvider>,
  );
const pressEscape = () => userEvent.keyboard('{Escape}');
const dialog = (name: string) => screen.queryByRole('dialog', { name });

it('closes one dialog at a time, the topmost first', async () => {
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Preguntar' }));
  await screen.findByRole('button', { name: 'Cancelar' });
  await pressEscape();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancelar' })).toBeNull());
  expect(dialog('Diálogo')).toBeVisible();
  await pressEscape();
  await waitFor(() => expect(dialog('Diálogo')).toBeNull());
  expect(dialog('Cajón')).toBeVisible();
  await pressEscape();
  await waitFor(() => expect(dialog('Cajón')).toBeNull());
});

it('closes the calendar of a field before its dialog', async () => {
  await open();
  await userEvent.click(await screen.findByRole('textbox', { name: 'Día' }));
  const calendar = () => document.querySelector('[data-dates-dropdown]');
  await waitFor(() => expect(calendar()).not.toBeNull());
  await pressEscape();
  await waitFor(() => expect(calendar()).toBeNull());
  expect(dialog('Diálogo')).toBeVisible();
  await pressEscape();
  await waitFor(() => expect(dialog('Diálogo')).toBeNull());
});

it('closes the list of a field before its dialog', async () => {
  await open();
  const field = await screen.findByRole('combobox', { name: 'Área' });
  await userEvent.click(field);
  await screen.findByRole('option', { name: 'Cirugía' });
  await pressEscape();
  await waitFor(() => expect(field).toHaveAttribute('aria-expanded', 'false'));
  expect(dialog('Diálogo')).toBeVisible();
  await pressEscape();
  await waitFor(() => expect(dialog('Diálogo')).toBeNull());
});
