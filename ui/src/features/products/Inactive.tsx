import IconBan from '@tabler/icons-react/dist/esm/icons/IconBan.mjs';
import { useText } from '@/i18n/useText';
import classes from './Inactive.module.css';

/** Says that a product is not offered any more. */
export function Inactive() {
  const t = useText();
  return (
    <span className={classes.inactive}>
      <IconBan size={16} aria-hidden />
      {t('products.inactive')}
    </span>
  );
}
