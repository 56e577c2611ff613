import { useListAreasQuery } from '@/api/generated';

/** Areas for a selector. */
export const useAreas = (q: string | undefined, skip: boolean) => useListAreasQuery({ q }, { skip });
