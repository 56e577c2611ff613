import { NativeSelect } from '@mantine/core';
import '@mantine/core/styles/Combobox.css';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import classes from './ListToolbar.module.css';
import type { ListState } from './useListState';

interface Props {
  list: ListState;
  /** Under which name the choice stands in the address. */
  name: string;
  label: MessageId;
  /** What no choice means, such as all states. */
  all: MessageId;
  choices: { value: string; label: MessageId }[];
  /** The filters that mean nothing any more once this one changes. */
  clears?: string[];
}

/** The choice in force: none where the address names another. */
export const choiceAmong = (choices: Props['choices'], chosen: string | undefined) =>
  choices.some(({ value }) => value === chosen) ? chosen : undefined;

/** Narrows a list to one of a few choices. */
export function ChoiceFilter({ list, name, label, all, choices, clears = [] }: Props) {
  const t = useText();
  return (
    <NativeSelect
      className={classes.filter}
      label={t(label)}
      data={[{ value: '', label: all }, ...choices].map((one) => ({ value: one.value, label: t(one.label) }))}
      value={choiceAmong(choices, list.filter(name)) ?? ''}
      onChange={(event) =>
        list.narrow({
          ...Object.fromEntries(clears.map((other) => [other, ''])),
          [name]: event.currentTarget.value,
        })
      }
    />
  );
}
