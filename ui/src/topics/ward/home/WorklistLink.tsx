import { Paper } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useText } from '@/i18n/useText';
import { useWorklistCount } from '../worklist/useWorklistCount';
import classes from './home.module.css';

/** Link to the worklist with its number, for users who have one. */
export function WorklistLink() {
  const t = useText();
  const count = useWorklistCount();
  if (!count) return null;
  return (
    <Paper withBorder className={classes.card}>
      <Link to="/worklist" className={classes.odd}>
        <IconListCheck size={20} aria-hidden />
        <span className={classes.about}>{t('home.worklist', { count })}</span>
      </Link>
    </Paper>
  );
}
