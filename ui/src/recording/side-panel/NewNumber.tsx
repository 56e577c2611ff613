import { useText } from '@/i18n/useText';
import classes from './NewNumber.module.css';

/** Say that a number chose another product in the shift before. */
export function NewNumber({ number }: { number: number }) {
  const t = useText();
  return <span className={classes.mark}>{t('details.newNumber', { number })}</span>;
}
