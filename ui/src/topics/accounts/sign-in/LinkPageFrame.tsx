import { Anchor, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useText } from '@/i18n/useText';
import classes from './session.module.css';

/** The frame of pages that are opened by a link: a title, and the way back to the sign-in. */
export function LinkPageFrame({ title, children }: { title: string; children: ReactNode }) {
  const t = useText();
  return (
    <Stack gap="md">
      <title>{`${title} · Consumo`}</title>
      <Title order={1}>{title}</Title>
      {children}
      <Anchor component={Link} to="/auth/login" className={classes.link}>
        {t('reset.backToSignIn')}
      </Anchor>
    </Stack>
  );
}
