import { Link } from 'react-router-dom';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import classes from './ListTabs.module.css';

interface Props {
  /** Accessible name of the tabs: what the lists have in common. */
  label: MessageId;
  lists: { to: string; label: MessageId; here: boolean }[];
}

/**
 * Tabs of related lists, such as open and closed sheets.
 *
 * Each record is in one of them.
 */
export function ListTabs({ label, lists }: Props) {
  const t = useText();
  return (
    <nav className={classes.tabs} aria-label={t(label)}>
      {lists.map(({ to, label: name, here }) => (
        <Link key={to} to={to} aria-current={here ? 'page' : undefined}>
          {t(name)}
        </Link>
      ))}
    </nav>
  );
}
