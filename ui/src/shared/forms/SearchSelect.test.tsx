import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { type AreaView, useListAreasQuery } from '@/api/generated';
import { holdTimers } from '@/test/keys';
import { render } from '@/test/render';
import { server } from '@/test/server';
import { aPage } from '@/test/sheets';
import { SearchSelect } from './SearchSelect';

const WAIT = 50;
const useAreas = (q: string | undefined, skip: boolean) => useListAreasQuery({ q, limit: 100 }, { skip });

interface FormProps {
  initial?: number | null;
  required?: boolean;
  isUncertain?: (area: AreaView, text: string) => boolean;
}

function Form({ initial = null, required, isUncertain }: FormProps) {
  const [id, setId] = useState(initial);
  const [sent, setSent] = useState(0);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setSent(sent + 1);
      }}
    >
      <SearchSelect<AreaView>
        label="Área"
        required={required}
        value={id}
        valueName="Pediatría"
        onChange={setId}
        useFound={useAreas}
        nameOf={(area) => area.name}
        isUncertain={isUncertain}
        wait={WAIT}
      />
      <input aria-label="next" />
      <button type="button" onMouseEnter={() => setId(7)}>
        scan
      </button>
      <output>{`${id} sent ${sent}`}</output>
    </form>
  );
}

/** Serve areas and record the searches. */
function serveAreas(...names: string[]) {
  const searched: (string | null)[] = [];
  server.use(
    http.get('/api/areas', async ({ request }) => {
      const q = new URL(request.url).searchParams.get('q');
      searched.push(q);
      await delay(20);
      const items = names.map((name, at) => ({ id: at + 1, name }));
      const found = items.filter(({ name }) => name.toLowerCase().includes((q ?? '').toLowerCase()));
      return HttpResponse.json(aPage(found, { total: found.length && found.length + 40 }));
    }),
  );
  return searched;
}

const field = () => screen.getByRole('combobox', { name: 'Área' });
const state = () => screen.getByText(/sent/);

it('debounces the search, and Enter takes the best match', async () => {
  const searched = serveAreas('Cirugía', 'Pediatría', 'Pensionado');
  await render(<Form />);
  expect(field()).toHaveAttribute('placeholder', 'Selecciona un elemento de la lista');
  const release = holdTimers(WAIT);
  await userEvent.type(field(), 'ped');
  expect(screen.getAllByText('Espera mientras se obtienen los elementos')[0]).toBeVisible();
  release();
  expect(await screen.findByRole('option', { name: 'Pediatría' })).toBeVisible();
  expect(screen.getByText('Hay 40 más: siga escribiendo.')).toBeVisible();
  expect(searched.filter(Boolean)).toEqual(['ped']);
  await userEvent.keyboard('{Enter}');
  expect(field()).toHaveValue('Pediatría');
  expect(state()).toHaveTextContent('2 sent 0');
});

it('drops a typed text for an item that is chosen elsewhere', async () => {
  serveAreas('Cirugía');
  await render(<Form />);
  await userEvent.type(field(), 'cir');
  await screen.findByRole('option', { name: 'Cirugía' });
  await userEvent.hover(screen.getByRole('button', { name: 'scan' }));
  expect(field()).toHaveValue('Pediatría');
  expect(field()).toHaveFocus();
});

it('says in the empty field that it waits, or that there is nothing', async () => {
  let answer = () => {};
  const answered = new Promise<void>((done) => {
    answer = done;
  });
  server.use(
    http.get('/api/areas', async () => {
      await answered;
      return HttpResponse.json({ items: [], meta: { page: 1, limit: 20, total: 0, pages: 0 } });
    }),
  );
  await render(<Form />);
  expect(field()).toHaveAttribute('placeholder', 'Selecciona un elemento de la lista');
  await userEvent.click(field());
  expect(field()).toHaveAttribute('placeholder', 'Espera mientras se obtienen los elementos');
  answer();
  await waitFor(() => expect(field()).toHaveAttribute('placeholder', 'No se encontraron elementos.'));
  await userEvent.type(field(), 'x');
  await userEvent.tab();
  expect(field()).toHaveAttribute('placeholder', 'Selecciona un elemento de la lista');
});

it('opens the list with Enter, and selects with the arrows', async () => {
  serveAreas('Cirugía', 'Pediatría');
  await render(<Form />);
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await screen.findByRole('option', { name: 'Cirugía' });
  await userEvent.keyboard('{Enter}');
  expect(state()).toHaveTextContent('null sent 0');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(state()).toHaveTextContent('2 sent 0');
});

it('shows the initial name, and clears the value on typing', async () => {
  serveAreas('Cirugía', 'Pediatría');
  await render(<Form initial={2} />);
  expect(field()).toHaveValue('Pediatría');
  await userEvent.type(field(), 'cir', { initialSelectionStart: 0, initialSelectionEnd: 9 });
  expect(state()).toHaveTextContent('null');
  await userEvent.tab();
  expect(field()).toHaveValue('');
});

it('reports when nothing is found', async () => {
  serveAreas('Cirugía');
  await render(<Form />, { language: 'es' });
  await userEvent.type(field(), 'xyz');
  expect((await screen.findAllByText('No se encontraron elementos.'))[0]).toBeInTheDocument();
});

it.each([
  [true, 'xyz'],
  [false, ''],
])('keeps a text without a match when left, if required: %s', async (required, kept) => {
  serveAreas('Cirugía');
  await render(<Form required={required} />, { language: 'es' });
  await userEvent.type(field(), 'xyz');
  await screen.findAllByText('No se encontraron elementos.');
  await userEvent.tab();
  expect(field()).toHaveValue(kept);
  expect(state()).toHaveTextContent('null sent 0');
});

it('suggests similar names, which Enter alone does not take', async () => {
  server.use(
    http.get('/api/areas', () =>
      HttpResponse.json({
        ...aPage([]),
        nearest: [
          { id: 7, name: 'Pediatría' },
          { id: 8, name: 'Pensionado' },
        ],
      }),
    ),
  );
  await render(<Form />, { language: 'es' });
  await userEvent.type(field(), 'pediatira');
  expect((await screen.findAllByText(/¿Quiso decir…\?/))[0]).toBeVisible();
  expect(screen.getByRole('option', { name: 'Pediatría' })).toBeVisible();
  await userEvent.keyboard('{Enter}{Enter}');
  expect(screen.getAllByText(/Elija una de la lista/)[0]).toBeVisible();
  expect(state()).toHaveTextContent('null sent 0');
  expect(field()).toHaveValue('pediatira');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(state()).toHaveTextContent('7 sent 0');
  expect(field()).toHaveValue('Pediatría');
});

it.each(['ped{Enter}', 'ped'])('takes an uncertain item only once selected: %s', async (typed) => {
  serveAreas('Pediatría');
  await render(<Form isUncertain={(_, text) => text === 'ped'} />);
  await userEvent.type(field(), typed);
  expect(await screen.findByRole('option', { name: 'Pediatría' })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  expect(state()).toHaveTextContent('null sent 0');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(state()).toHaveTextContent('1 sent 0');
});

it('takes no suggestion for an Enter before the response', async () => {
  server.use(
    http.get('/api/areas', async () => {
      await delay(60);
      return HttpResponse.json({ ...aPage([]), nearest: [{ id: 7, name: 'Pediatría' }] });
    }),
  );
  await render(<Form />);
  await userEvent.type(field(), 'pediatira{Enter}');
  await screen.findByRole('option', { name: 'Pediatría' });
  expect(state()).toHaveTextContent('null sent 0');
  // One suggestion is not several.
  await userEvent.keyboard('{Enter}');
  expect((await screen.findAllByText('Se parece, pero no es exacta: elíjala si es esta.'))[0]).toBeVisible();
});

it('reports an unreachable server', async () => {
  server.use(http.get('/api/areas', () => HttpResponse.error()));
  await render(<Form />);
  await userEvent.type(field(), 'x');
  await waitFor(() => expect(screen.getAllByText(/No hay conexión/)[0]).toBeInTheDocument());
});
