import { lazy, memo, Suspense } from 'react';
import classes from './ProductDrawing.module.css';

// A drawing that cannot be loaded leaves its box empty.
const Drawing = lazy(() => import('./Drawing').catch(() => ({ default: () => null })));

interface Props {
  name: string;
  /** The name of the category, where it is always known. */
  category?: string;
  large?: boolean;
}

/** Draw what kind of supply a product is, in a box of fixed size. */
export const ProductDrawing = memo(function ProductDrawing({ name, category, large }: Props) {
  return (
    <span className={classes.box} data-large={large || undefined} aria-hidden>
      <Suspense>
        <Drawing name={name} category={category} />
      </Suspense>
    </span>
  );
});
