import { useListCategoriesQuery } from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';

/** Search categories for a selector. */
export const useCategories = (q: string | undefined, skip: boolean) =>
  useListCategoriesQuery({ q, limit: OPTIONS_LIMIT }, { skip });
