import classes from './Code.module.css';

/** A product's code beside its name: in grey, or as strong as the name where others have the same one. */
export function Code({ code, equal }: { code: string | null | undefined; equal: boolean }) {
  if (!code) return null;
  return (
    <span className={classes.code} data-equal={equal || undefined}>
      {code}
    </span>
  );
}
