import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useProductPictureQuery } from '@/api/productPicture';
import classes from './ProductDrawing.module.css';

interface Props {
  productId: number;
  digest: string;
  /** Shown until the picture is there, and instead of one that cannot be loaded. */
  children: ReactNode;
}

/** The picture of a product. It is loaded when its place comes into view. */
export default function ProductPicture({ productId, digest, children }: Props): ReactNode {
  const place = useRef<HTMLSpanElement>(null);
  const skip = !useIsSeen(place);
  const { currentData: address } = useProductPictureQuery({ productId, digest }, { skip });
  const [broken, setBroken] = useState<string>();
  return (
    <span ref={place} className={classes.place}>
      {address && address !== broken ? (
        <img
          className={classes.picture}
          src={address}
          alt=""
          decoding="async"
          onError={() => setBroken(address)}
        />
      ) : (
        children
      )}
    </span>
  );
}

/** Return whether the element was near the visible part of the page. */
function useIsSeen(place: RefObject<HTMLElement | null>) {
  const [isSeen, setIsSeen] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (isSeen || !place.current) return;
    const observer = new IntersectionObserver(
      (entries) => setIsSeen(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '100px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place, isSeen]);
  return isSeen;
}
