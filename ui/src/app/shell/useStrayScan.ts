import { useCallbackRef } from '@mantine/hooks';
import { useNavigate } from 'react-router-dom';
import type { OwnLabelView, ProductLookupView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { labelText } from '@/scan/labelText';
import type { Answered } from '@/scan/scanPages';
import { giveSignal } from '@/scan/signals';
import { sheetsOf } from '@/scan/wristbands';
import { useCan } from '@/session/useCan';
import { fullName } from '@/shared/records/fullName';
import { toast } from '@/shared/ui/toast';

/**
 * Handle scans on pages without recording.
 *
 * A label of Consumo opens its page, and a product is named. The queue opens the sheet of a wristband.
 */
export function useStrayScan() {
  const t = useText();
  const navigate = useNavigate();
  const maySeeKits = useCan('kits.manage');
  return useCallbackRef(({ code, answer }: Answered) => {
    const { people, matches, label } = answer;
    const sheets = sheetsOf(people);
    const [only] = sheets;
    const page = label && pageOfLabel(label, answer, maySeeKits, code);
    if (page) {
      giveSignal('taken');
      navigate(page);
      return;
    }
    giveSignal(sheets.length > 1 ? 'asked' : 'refused');
    const [person] = people;
    const [match] = matches;
    if (only && person)
      toast.error(
        t('scan.severalSheetsOf', {
          patient: fullName(person),
          rooms: sheets.map(({ room }) => room.name).join(', '),
        }),
      );
    else if (person) toast.error(t('scan.noSheet', { patient: fullName(person) }));
    else if (label) toast.error(t(label.kit_id ? 'scan.kitNeedsSheet' : labelText(label)));
    else if (match) toast.error(t('scan.needsSheet', { product: match.product.name }));
    else toast.error(t('scan.unknown', { code: code.trim() }));
  });
}

/** Return the page of a label's product, patient without open sheet, kit, or closed sheet's paper. */
function pageOfLabel(
  { kind, state, kit_id, form_number }: OwnLabelView,
  { people, matches }: ProductLookupView,
  maySeeKits: boolean,
  code: string,
) {
  if (form_number) return `/consumption-sheets/forms/${form_number}`;
  const [person] = people;
  const [match] = matches;
  if ((kind === 'closing' || kind === 'document') && state !== 'foreign')
    return `/consumption-sheets/closed/paper?${new URLSearchParams({ text: code.trim() })}`;
  if (kind === 'product' && match) return `/products/${match.product.id}`;
  if (person && person.sheets.length === 0) return `/patients/${person.id}`;
  return kit_id && maySeeKits ? `/products/kits/${kit_id}` : null;
}
