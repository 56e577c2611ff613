import { UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './Choice.module.css';

interface ChoiceProps {
  text: string;
  /** Whether it is another one than usual. */
  isMarked?: boolean;
  /** When something was chosen, or nothing is to be. */
  onDone: () => void;
  children: (close: () => void) => ReactNode;
}

/** A text that becomes the field in which it is chosen. */
export function Choice({ text, isMarked = false, onDone, children }: ChoiceProps) {
  const [open, setOpen] = useState(false);
  if (!open)
    return (
      <UnstyledButton
        className={classes.choice}
        data-marked={isMarked || undefined}
        aria-expanded={false}
        onClick={() => setOpen(true)}
      >
        {text}
      </UnstyledButton>
    );
  function close() {
    setOpen(false);
    onDone();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what the field in it does not take.
    <div
      className={classes.open}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      {children(close)}
    </div>
  );
}
