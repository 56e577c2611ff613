import { type StaffView, useListStaffQuery } from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { fullName } from '@/components/fullName';
import { SearchSelect } from '@/components/SearchSelect';
import { foldPerson } from '@/device/fold';
import { useText } from '@/i18n/useText';

interface Props {
  value?: number | null;
  onChange: (id: number | null) => void;
  /** Whom the account belongs to now, who may be chosen as well as those without an account. */
  current?: StaffView | null;
}

/** Staff who have no account yet, and whoever has this one. */
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

/** Whether the server's search would find that name: every word anywhere, folded as people's names are. */
function isCalled(name: string, q = '') {
  const folded = foldPerson(name);
  return foldPerson(q)
    .split(' ')
    .every((word) => folded.includes(word));
}
