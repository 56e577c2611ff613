import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from 'react-router-dom';
import { useText } from '@/i18n/useText';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { OpenSheetSelect } from '@/topics/sheets/OpenSheetSelect';

/**
 * Detect a hardware keyboard.
 *
 * On a tablet, focus would open the on-screen one.
 */
const hasKeyboard = () => window.matchMedia('(hover: hover)').matches;

/** Find an open sheet directly by a patient's name or a room. */
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
