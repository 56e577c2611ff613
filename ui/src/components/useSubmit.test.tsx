import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { expect, it } from 'vitest';
import { render } from '@/test/render';
import { ConfirmProvider, useConfirm } from './Confirm';
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

it('repeats the key after a lost answer, and takes a new one after an answer', async () => {
  await render(<Recorder answers={[unreachable, done, refused, done]} />);
  for (let time = 0; time < 4; time++) await userEvent.click(screen.getByText('send'));
  expect(screen.getByText('0,0,2,3')).toBeVisible();
  expect(screen.getByText(/No hay conexión/)).toBeVisible();
  expect(screen.getByText('No.')).toBeVisible();
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

it('asks, and takes leaving the question for no', async () => {
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
