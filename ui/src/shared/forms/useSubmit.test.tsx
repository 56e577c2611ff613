import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { ConfirmProvider, useConfirm } from '@/shared/dialogs/Confirm';
import { render } from '@/test/render';
import { useSubmit } from './useSubmit';

const unreachable = { error: { status: 'FETCH_ERROR', error: 'x' } };
const refused = { error: { status: 422, data: { message: ['No.'] } } };
const done = { data: { id: 1 } };

function Recorder({ answers }: { answers: object[] }) {
  const { submit } = useSubmit();
  const [keys, setKeys] = useState<string[]>([]);
  const next = useRef(0);
  const send = () =>
    submit(async (key) => {
      setKeys((before) => [...before, key]);
      return answers[next.current++] ?? done;
    });
  return (
    <>
      <button type="button" onClick={send}>
        send
      </button>
      <output>{keys.map((key) => keys.indexOf(key)).join()}</output>
    </>
  );
}

it('repeats the key after a lost answer, not after a response', async () => {
  await render(<Recorder answers={[unreachable, done, refused, done]} />);
  await userEvent.click(screen.getByText('send'));
  expect(await screen.findByText(/No hay conexión/)).toBeVisible();
  for (let time = 1; time < 4; time++) await userEvent.click(screen.getByText('send'));
  expect(screen.getByText('0,0,2,3')).toBeVisible();
  await waitFor(() => expect(screen.queryByText(/No hay conexión/)).toBeNull());
  expect(screen.getByText('No.')).toBeVisible();
});

it('shows nothing for an aborted call', async () => {
  const said = vi.spyOn(notifications, 'show');
  await render(<Recorder answers={[{ error: { name: 'AbortError', message: 'Aborted' } }]} />);
  await userEvent.click(screen.getByText('send'));
  expect(screen.getByText('0')).toBeVisible();
  expect(said).not.toHaveBeenCalled();
});

interface DraftProps {
  answers: object[];
  sent: unknown[];
}

function Draft({ answers, sent }: DraftProps) {
  const { submit, pending } = useSubmit();
  const form = useForm({ initialValues: { name: 'Gasa' } });
  const [saved, setSaved] = useState<unknown>(null);
  return (
    <form
      onSubmit={form.onSubmit(async (values) => {
        const answer = await submit(
          async (key) => {
            sent.push([values.name, key]);
            return answers[sent.length - 1] ?? done;
          },
          { form },
        );
        setSaved(answer.ok);
      })}
    >
      <input aria-label="name" {...form.getInputProps('name')} />
      <button type="submit" disabled={pending}>
        save
      </button>
      <output>{String(saved)}</output>
    </form>
  );
}

const unavailable = (status: number, message: string) => ({ error: { status, data: { message } } });

it.each([
  ['no answer', unreachable, /^No hay conexión/],
  ['a 503', unavailable(503, 'El sistema está muy ocupado.'), 'El sistema está muy ocupado.'],
  ['a 507', unavailable(507, 'No hay espacio.'), 'No hay espacio.'],
  [
    'a page of a proxy',
    { error: { status: 'PARSING_ERROR', originalStatus: 502, data: '<p>' } },
    /^No hay conexión/,
  ],
])('keeps the form after %s, and resends it on request', async (_, problem, message) => {
  const sent: [string, string][] = [];
  await render(<Draft answers={[problem, problem]} sent={sent} />);
  await userEvent.click(screen.getByText('save'));
  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByLabelText('name')).toHaveValue('Gasa');
  expect(screen.getByText('save')).toBeEnabled();
  await userEvent.click(screen.getByRole('button', { name: 'Reintentar' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Reintentar' }));
  expect(await screen.findByText('true')).toBeVisible();
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map(String)).size).toBe(1);
  await waitFor(() => expect(screen.queryByText(message)).toBeNull());
});

it('withdraws the offer to retry when the form changes', async () => {
  const sent: [string, string][] = [];
  await render(<Draft answers={[unreachable]} sent={sent} />);
  await userEvent.click(screen.getByText('save'));
  expect(await screen.findByRole('button', { name: 'Reintentar' })).toBeVisible();
  await userEvent.type(screen.getByLabelText('name'), 's');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Reintentar' })).toBeNull());
  expect(await screen.findByText('false')).toBeVisible();
  await userEvent.click(screen.getByText('save'));
  expect(await screen.findByText('true')).toBeVisible();
  expect(sent.map(([name]) => name)).toEqual(['Gasa', 'Gasas']);
});

function Asker() {
  const confirm = useConfirm();
  const [answer, setAnswer] = useState('?');
  return (
    <>
      <button
        type="button"
        onClick={async () =>
          setAnswer(String(await confirm({ question: 'sheets.title', action: 'action.save' })))
        }
      >
        ask
      </button>
      <output>{answer}</output>
    </>
  );
}

it('asks, and treats closing the dialog as no', async () => {
  await render(
    <ConfirmProvider>
      <Asker />
    </ConfirmProvider>,
  );
  await userEvent.click(screen.getByText('ask'));
  expect(await screen.findByRole('dialog', { name: 'Hojas de consumo' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByText('false')).toBeVisible();
  await userEvent.click(screen.getByText('ask'));
  await userEvent.click(await screen.findByRole('button', { name: 'Guardar' }));
  expect(await screen.findByText('true')).toBeVisible();
});
