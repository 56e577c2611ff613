import { useListCategoriesQuery } from '@/api/generated';

/** Categories for a selector. */
export const useCategories = (q: string | undefined, skip: boolean) =>
  useListCategoriesQuery({ q }, { skip });
