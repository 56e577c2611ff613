import { useParams } from 'react-router-dom';
import { useListUsualProductsQuery } from '@/api/generated';

const none: number[] = [];

/** Return the ids of usual products whose number chose another product in the shift before. */
export function useChangedNumbers(): number[] {
  const sheetId = Number(useParams().sheetId);
  const { changed } = useListUsualProductsQuery(
    { sheetId },
    { skip: !sheetId, selectFromResult: ({ currentData }) => ({ changed: currentData?.changed ?? none }) },
  );
  return changed;
}
