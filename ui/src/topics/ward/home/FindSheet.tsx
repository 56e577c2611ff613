import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
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

interface Props {
  className?: string;
  rightSection: ReactNode;
}

/** Find an open sheet directly by a patient's name or a room. */
export function FindSheet({ className, rightSection }: Props) {
  const t = useText();
  const navigate = useNavigate();
  return (
    <OpenSheetSelect
      aria-label={t('home.find')}
      className={className}
      leftSection={<IconSearch size={20} aria-hidden />}
      rightSection={rightSection}
      data-shortcut="search"
      autoFocus={hasKeyboard()}
      onChange={(_, sheet) => sheet && navigate(detailsOf(sheet))}
    />
  );
}
