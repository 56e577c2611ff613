import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useNavigate } from 'react-router-dom';
import { type SheetView, useListSheetsQuery } from '@/api/generated';
import { fullName } from '@/components/fullName';
import { SearchSelect } from '@/components/SearchSelect';
import { detailsOf } from '@/components/sheetAddresses';
import { useText } from '@/i18n/useText';

const useOpenSheets = (q: string | undefined, skip: boolean) =>
  useListSheetsQuery({ q, limit: 10 }, { skip });

/** From a patient's name to the sheet, without a list in between. */
export function FindSheet() {
  const t = useText();
  const navigate = useNavigate();
  return (
    <SearchSelect<SheetView>
      label={t('home.find')}
      placeholder={t('home.findHint')}
      leftSection={<IconSearch size={20} aria-hidden />}
      rightSection={null}
      useFound={useOpenSheets}
      nameOf={(sheet) => fullName(sheet.patient)}
      noteOf={(sheet) => sheet.room.name}
      onChange={(_, sheet) => sheet && navigate(detailsOf(sheet))}
    />
  );
}
