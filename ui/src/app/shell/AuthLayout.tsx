import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './AuthLayout.module.css';
import { LanguageSwitch } from './LanguageSwitch';
import { Logo } from './Logo';
import { SchemeSwitch } from './SchemeSwitch';
import { useHospital } from './useHospital';

export function AuthLayout({ children }: { children: ReactNode }) {
  const { name, logo } = useHospital();
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <LanguageSwitch />
        <SchemeSwitch />
      </header>
      <main className={classes.main}>
        <div className={classes.hospital}>
          {/* The name is below, or this is all that there is to see. */}
          {logo && <img className={classes.logo} src={logo} alt="" />}
          <div className={classes.brand}>
            <Logo size={44} />
            <span>Consumo</span>
          </div>
          {name && <div className={classes.name}>{name}</div>}
        </div>
        <Paper withBorder className={classes.card}>
          {children}
        </Paper>
      </main>
    </div>
  );
}
