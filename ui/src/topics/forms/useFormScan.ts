import { useNavigate } from 'react-router-dom';
import type { ProductView, ReadingView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { labelText } from '@/scan/labelText';
import { useScanPage } from '@/scan/scanPages';
import { giveSignal } from '@/scan/signals';
import { sheetsOf } from '@/scan/wristbands';
import { fullName } from '@/shared/records/fullName';
import { toast } from '@/shared/ui/toast';

interface Options {
  formNumber: number;
  /** Return what takes the last scan back. */
  remember: () => () => void;
  onProduct: (product: ProductView, reading: ReadingView | null) => void;
  onSheet: (sheet: { id: number; name: string }) => void;
}

/** Scan products, a patient's wristband or another form into a contingency form. */
export function useFormScan({ formNumber, remember, onProduct, onSheet }: Options) {
  const t = useText();
  const navigate = useNavigate();
  useScanPage({
    remember,
    takesPatients: true,
    onScan: ({ code, answer }) => {
      const { people, matches, label, reading } = answer;
      const sheets = sheetsOf(people);
      const [only] = sheets;
      const [match] = matches;
      const scannedForm = label?.form_number;
      if (scannedForm) {
        giveSignal('taken');
        if (scannedForm !== formNumber) navigate(`/consumption-sheets/forms/${scannedForm}`);
      } else if (only && sheets.length === 1) {
        giveSignal('otherPatient');
        onSheet({ id: only.id, name: fullName(only.person) });
      } else if (match && matches.length === 1 && match.product.active) {
        giveSignal('taken');
        onProduct(match.product, reading);
      } else {
        giveSignal('refused');
        const [person] = people;
        if (person && sheets.length > 1) toast.error(t('forms.severalSheets', { patient: fullName(person) }));
        else if (person) toast.error(t('scan.noSheet', { patient: fullName(person) }));
        else if (label && label.state !== 'found') toast.error(t(labelText(label)));
        else if (matches.length > 0) toast.error(t('forms.chooseProduct', { code: code.trim() }));
        else toast.error(t('scan.unknown', { code: code.trim() }));
      }
    },
  });
}
