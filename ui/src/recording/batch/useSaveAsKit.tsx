import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useCreateKitMutation } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import type { Item } from './items';
import classes from './RecordBatchDrawer.module.css';

interface Props {
  chosen: Item[];
  /** Show what is wrong with the quantities; true if nothing is. */
  check: () => boolean;
  offered: boolean;
  /** Called after saving; set if the drawer was opened to save a kit. */
  onSaved?: () => void;
}

/** Return the name field and the button that save the ticked lines as a personal kit. */
export function useSaveAsKit({ chosen, check, offered, onSaved }: Props): {
  field?: ReactNode;
  button?: ReactNode;
} {
  const t = useText();
  const [createKit] = useCreateKitMutation();
  const { submit, pending } = useSubmit();
  const [name, setName] = useState(onSaved ? '' : null);
  const [wrong, setWrong] = useState('');
  if (!offered || (chosen.length === 0 && !onSaved)) return {};
  if (name === null)
    return {
      button: (
        <Button variant="subtle" onClick={() => setName('')}>
          {t('batch.asKit')}
        </Button>
      ),
    };

  async function save() {
    if (!check()) return;
    const quantities = new Map<number, number>();
    // In thousandths, because sums of binary fractions are not exact.
    for (const { product, quantity } of chosen)
      quantities.set(product.id, (quantities.get(product.id) ?? 0) + Math.round(Number(quantity) * 1000));
    const done = await submit(
      () =>
        createKit({
          kitDraft: {
            name: name ?? '',
            own: true,
            lines: [...quantities].map(([product_id, quantity]) => ({
              product_id,
              quantity: quantity / 1000,
              optional: false,
            })),
          },
        }),
      {
        success: 'batch.kitSaved',
        onProblem: ({ status, messages }) => {
          setWrong(messages.map(({ text }) => text).join(' '));
          return status === 422;
        },
      },
    );
    if (!done.ok) return;
    if (onSaved) onSaved();
    else setName(null);
  }
  return {
    field: (
      <TextInput
        className={classes.name}
        label={t('batch.kitName')}
        value={name}
        error={wrong}
        autoFocus
        data-autofocus={onSaved ? true : undefined}
        onChange={({ currentTarget: { value } }) => {
          setName(value);
          setWrong('');
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault(); // Enter saves the kit and must not record the lines
          if (chosen.length > 0) save();
        }}
      />
    ),
    button: (
      <Button
        variant={onSaved ? 'filled' : 'default'}
        onClick={save}
        loading={pending}
        disabled={chosen.length === 0}
      >
        {t('batch.saveKit')}
      </Button>
    ),
  };
}
