import { lazy, memo, type ReactNode, Suspense } from 'react';
import classes from './ProductDrawing.module.css';

// A drawing that cannot be loaded leaves its box empty; in place of a picture there is the drawing.
const Drawing = lazy(() => import('./Drawing').catch(() => ({ default: () => null })));
const ProductPicture = lazy(() =>
  import('./ProductPicture').catch(() => ({ default: ({ children }: { children: ReactNode }) => children })),
);

interface Props {
  name: string;
  /** The name of the category, where it is always known. */
  category?: string;
  productId?: number;
  /** The digest of the product's picture, which is shown instead of the drawing. */
  picture?: string | null;
  large?: boolean;
}

/** Show the picture of a product, or draw what kind of supply it is, in a box of fixed size. */
export const ProductDrawing = memo(function ProductDrawing({
  name,
  category,
  productId,
  picture,
  large,
}: Props) {
  const drawing = <Drawing name={name} category={category} />;
  return (
    <span className={classes.box} data-large={large || undefined} aria-hidden>
      <Suspense>
        {productId && picture ? (
          <ProductPicture productId={productId} digest={picture}>
            {drawing}
          </ProductPicture>
        ) : (
          drawing
        )}
      </Suspense>
    </span>
  );
});
