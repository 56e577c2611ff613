import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useNavigate } from 'react-router-dom';
import { OpenSheetSelect } from '@/components/OpenSheetSelect';
import { detailsOf } from '@/components/sheetAddresses';
import { useText } from '@/i18n/useText';

/** Where there is a pointer there is a keyboard: on a tablet the focus would open the one on the screen. */
const hasKeyboard = () => window.matchMedia('(hover: hover)').matches;

/** From a patient's name or room to the sheet, without a list in between. */
export function FindSheet() {
  const t = useText();
  const navigate = useNavigate();
  return (
    <OpenSheetSelect
      label={t('home.find')}
      leftSection={<IconSearch size={20} aria-hidden />}
      rightSection={null}
      data-shortcut="search"
      autoFocus={hasKeyboard()}
      onChange={(_, sheet) => sheet && navigate(detailsOf(sheet))}
    />
  );
}
