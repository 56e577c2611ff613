import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './AuthLayout.module.css';
import { LanguageSwitch } from './LanguageSwitch';
import { Logo } from './Logo';
import { SchemeSwitch } from './SchemeSwitch';

export function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <LanguageSwitch />
        <SchemeSwitch />
      </header>
      <main className={classes.main}>
        <div className={classes.brand}>
          <Logo size={44} />
          <span>Consumo</span>
        </div>
        <Paper withBorder className={classes.card}>
          {children}
        </Paper>
      </main>
    </div>
  );
}
