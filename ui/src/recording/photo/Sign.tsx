import { Loader } from '@mantine/core';
import { type Icon, IconCheck, IconExclamationMark, IconMinus, IconQuestionMark } from '@tabler/icons-react';
import classes from './Sign.module.css';

/** What a symbol or row is: told by the sign and its shape, not by the colour alone. */
export type SignTone = 'green' | 'amber' | 'grey' | 'red' | 'looking';

const ICONS: Record<Exclude<SignTone, 'looking'>, Icon> = {
  green: IconCheck,
  amber: IconQuestionMark,
  grey: IconMinus,
  red: IconExclamationMark,
};

export function Sign({ tone }: { tone: SignTone }) {
  if (tone === 'looking') return <Loader size="xs" aria-hidden />;
  const Shown = ICONS[tone];
  return (
    <span className={classes.sign} data-tone={tone} aria-hidden>
      <Shown size={14} stroke={3} />
    </span>
  );
}
