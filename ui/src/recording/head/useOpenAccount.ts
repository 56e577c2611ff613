import { useNavigate } from 'react-router-dom';
import { useLazyReadAccountQuery } from '@/api/lazy';
import { isUnavailable, toProblem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { accountOf } from '@/shared/records/sheetAddresses';
import { toast } from '@/shared/ui/toast';

/**
 * Return how to open the account of a sheet.
 *
 * It needs the network: without it the user stays on the sheet, where work goes on.
 */
export function useOpenAccount(sheet: { id: number }) {
  const t = useText();
  const navigate = useNavigate();
  const [readAccount] = useLazyReadAccountQuery();
  return async () => {
    const { error } = await readAccount({ sheetId: sheet.id });
    if (error && isUnavailable(toProblem(error).status)) toast.error(t('account.needsNetwork'));
    else navigate(accountOf(sheet));
  };
}
