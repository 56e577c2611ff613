import classes from './Code.module.css';

/**
 * A product's code beside its name.
 *
 * It is grey, or as prominent as the name if other products have the same name.
 */
export function Code({ code, equal }: { code: string | null | undefined; equal: boolean }) {
  if (!code) return null;
  return (
    <span className={classes.code} data-equal={equal || undefined}>
      {code}
    </span>
  );
}
