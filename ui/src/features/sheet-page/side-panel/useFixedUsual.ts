import { useEffect, useState } from 'react';
import type { ProductView, UsualProductsView } from '@/api/generated';
import { api } from '@/api/tags';
import { useSession } from '@/session/session';
import { useAppDispatch } from '@/storeHooks';
import { fixedOrder, keepOrder, keptOrder } from './usualOrder';

interface Fixed {
  userId: number;
  areaId: number;
  products: ProductView[];
}

/**
 * Keep the order of the usual products for a shift.
 *
 * Users learn the number of each product. The result is undefined until products and area are loaded.
 */
export function useFixedUsual(usual: UsualProductsView | undefined, areaId: number | undefined) {
  const dispatch = useAppDispatch();
  const userId = useSession().user?.id;
  const [fixed, setFixed] = useState<Fixed>();
  useEffect(() => {
    if (!usual || userId === undefined || areaId === undefined) return;
    const kept = keptOrder(userId, areaId);
    const known = new Map(usual.items.map((product) => [product.id, product]));
    let isOver = false;
    const fix = () => {
      if (isOver) return;
      const items = usual.items.map(({ id }) => id);
      const ids = fixedOrder(kept, items, usual.pinned, known.keys());
      setFixed({ userId, areaId, products: ids.flatMap((id) => known.get(id) ?? []) });
      keepOrder(userId, areaId, ids);
    };
    // No longer usual for the server, but their numbers must not change.
    const missing = kept.filter((id) => !known.has(id));
    if (missing.length === 0) fix();
    else
      Promise.all(
        missing.map(async (productId) => {
          const read = api.endpoints.readProduct.initiate({ productId }, { subscribe: false });
          const { data } = await dispatch(read);
          if (data?.active) known.set(data.id, data);
        }),
      ).then(fix);
    return () => {
      isOver = true;
    };
  }, [usual, userId, areaId, dispatch]);
  return fixed && fixed.userId === userId && fixed.areaId === areaId ? fixed.products : undefined;
}
