import { useCallbackRef } from '@mantine/hooks';
import { useNavigate } from 'react-router-dom';
import { generatedApi } from '@/api/generated';
import { isAborted, problemOf } from '@/api/problem';
import { detailsOf } from '@/components/sheetAddresses';
import { toast } from '@/components/toast';
import { showProblem } from '@/components/useSubmit';
import type { Answer } from '@/features/details/recorder';
import { useText } from '@/i18n/useText';
import type { Scanned } from '@/scan/scanHandlers';
import { giveSignal } from '@/scan/signals';
import { useAppDispatch } from '@/storeHooks';

/** Take a scan on a page where nothing is recorded: a wristband opens its sheet, and a product is named. */
export function useStrayScan() {
  const t = useText();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  return useCallbackRef(async ({ code }: Scanned) => {
    const { data, error } = await dispatch(
      generatedApi.endpoints.lookUpProduct.initiate(
        { scan: code, onlyTried: true },
        { subscribe: false, forceRefetch: true },
      ),
    );
    if (!data) {
      if (!isAborted(error)) showProblem(problemOf(error));
      return;
    }
    const { people = [], matches } = data as Answer;
    const sheets = people.flatMap((person) => person.sheets.map(({ id, room }) => ({ id, room, person })));
    const [only] = sheets;
    if (only && sheets.length === 1) {
      giveSignal('otherPatient');
      navigate(detailsOf(only), { state: { arrival: { person: only.person, scans: [] } } });
      return;
    }
    giveSignal(sheets.length > 1 ? 'asked' : 'refused');
    const [person] = people;
    const [match] = matches;
    if (only && person)
      toast.error(
        t('scan.severalSheetsOf', { patient: person.name, rooms: sheets.map(({ room }) => room).join(', ') }),
      );
    else if (person) toast.error(t('scan.noSheet', { patient: person.name }));
    else if (match) toast.error(t('scan.needsSheet', { product: match.product.name }));
    else toast.error(t('scan.unknown', { code: code.trim() }));
  });
}
