import { UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './Choice.module.css';

interface ChoiceProps {
  text: string;
  /** What the text is a value of, for those who hear it alone. */
  about?: string;
  /** Whether the value differs from the usual one. */
  isMarked?: boolean;
  /** Called after a choice, or when the user cancels with Escape. */
  onDone: () => void;
  children: (close: () => void) => ReactNode;
}

/** Show a text that turns into an input when it is clicked. */
export function Choice({ text, about, isMarked = false, onDone, children }: ChoiceProps) {
  const [open, setOpen] = useState(false);
  if (!open)
    return (
      <UnstyledButton
        className={classes.choice}
        data-marked={isMarked || undefined}
        aria-label={about && `${about}: ${text}`}
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
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys that the field inside does not.
    <div
      className={classes.open}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // The product in the bar stays.
        event.preventDefault();
        close();
      }}
    >
      {children(close)}
    </div>
  );
}
