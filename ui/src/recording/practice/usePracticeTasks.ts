import { useMemo } from 'react';
import { useListKitsQuery, useListProductsQuery } from '@/api/generated';
import { withoutPrice } from '../common/practiceContext';
import { chooseProducts, tasksFor, USUAL } from './practiceTasks';

/** Among how many products of the catalogue the practice chooses. */
const AMONG = 100;

/** Choose products and a kit of the hospital's own catalogue, and the tasks with them. */
export function usePracticeTasks() {
  const listed = useListProductsQuery({ active: true, limit: AMONG });
  const kits = useListKitsQuery({ limit: AMONG });
  const printed = useMemo(
    () => listed.data && chooseProducts(listed.data.items).map(withoutPrice),
    [listed.data],
  );
  const products = useMemo(() => printed?.slice(0, USUAL), [printed]);
  const kit = useMemo(
    () =>
      kits.data?.items.find(({ lines }) => lines.length > 1 && lines.every(({ product }) => product.active)),
    [kits.data],
  );
  const isKnown = kits.data !== undefined || kits.isError;
  const tasks = useMemo(
    () => (products && products.length > 0 && isKnown ? tasksFor(products, kit) : []),
    [products, kit, isKnown],
  );
  return {
    printed,
    products,
    tasks,
    isLoading: listed.isLoading || kits.isLoading,
    listed,
  };
}
