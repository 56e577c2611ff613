import { type StaffView, useListStaffQuery } from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { foldPerson } from '@/i18n/fold';
import { useText } from '@/i18n/useText';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { fullName } from '@/shared/records/fullName';

interface Props {
  value?: number | null;
  onChange: (id: number | null) => void;
  /** The present staff member of the account, offered in addition to those without an account. */
  current?: StaffView | null;
}

/** Choose a staff member without an account, or the account's present one. */
export function UnassignedStaffSelect({ current, ...rest }: Props) {
  const t = useText();
  const useFound = (q: string | undefined, skip: boolean) => {
    const { currentData, isError } = useListStaffQuery(
      { unassigned: true, q, limit: OPTIONS_LIMIT },
      { skip },
    );
    const own = current && isCalled(fullName(current), q) ? [current] : [];
    return {
      isError,
      currentData: currentData && {
        items: [...own, ...currentData.items],
        meta: { total: own.length + currentData.meta.total },
      },
    };
  };
  return (
    <SearchSelect<StaffView>
      label={t('users.staff')}
      description={t('users.staffHint')}
      required
      useFound={useFound}
      nameOf={fullName}
      noteOf={({ job_title }) => job_title}
      valueName={current ? fullName(current) : ''}
      {...rest}
    />
  );
}

/**
 * Return whether the server's search would find that name.
 *
 * Every word may be anywhere; texts are folded like people's names.
 */
function isCalled(name: string, q = '') {
  const folded = foldPerson(name);
  return foldPerson(q)
    .split(' ')
    .every((word) => folded.includes(word));
}
