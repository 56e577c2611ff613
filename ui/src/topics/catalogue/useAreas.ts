import { useListAreasQuery } from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';

/** Query areas for a selector. */
export const useAreas = (q: string | undefined, skip: boolean) =>
  useListAreasQuery({ q, limit: OPTIONS_LIMIT }, { skip });
