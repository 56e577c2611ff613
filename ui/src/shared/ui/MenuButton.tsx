import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';

export interface MenuButtonProps {
  /** Accessible name of the button, with the record it is about. */
  label: string;
  /** What the button shows instead of three dots. */
  face?: ReactNode;
  className?: string;
  tabIndex?: number;
  /** One of the actions is running. */
  busy?: boolean;
}

type Rest = Omit<ComponentProps<'button'>, keyof MenuButtonProps | 'color' | 'style'>;

/** The button of a menu: three dots, or a text. */
export function MenuButton({ label, face, busy, ...rest }: MenuButtonProps & Rest) {
  if (face)
    return (
      <UnstyledButton aria-label={label} aria-busy={busy} {...rest}>
        {face}
      </UnstyledButton>
    );
  return (
    <ActionIcon aria-label={label} title={label} loading={busy} {...rest}>
      <IconDots size={20} aria-hidden />
    </ActionIcon>
  );
}
