import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useNavigate } from 'react-router-dom';
import { OpenSheetSelect } from '@/components/OpenSheetSelect';
import { detailsOf } from '@/components/sheetAddresses';
import { useText } from '@/i18n/useText';

/** Detect a hardware keyboard: on a tablet, focus would open the on-screen one. */
const hasKeyboard = () => window.matchMedia('(hover: hover)').matches;

/** Find an open sheet by a patient's name or a room, without going through the list. */
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
