import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { HelpButton } from '@/shared/ui/HelpButton';
import classes from './AuthLayout.module.css';
import { LanguageSwitch } from './LanguageSwitch';
import { Logo } from './Logo';
import { SchemeSwitch } from './SchemeSwitch';
import { useHospital } from './useHospital';

interface Props {
  /** The screen that the help button explains, if the address does not say it. */
  screen?: string;
  children: ReactNode;
}

export function AuthLayout({ screen, children }: Props) {
  const { name, logo } = useHospital();
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <LanguageSwitch />
        <SchemeSwitch />
        <HelpButton screen={screen} />
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
