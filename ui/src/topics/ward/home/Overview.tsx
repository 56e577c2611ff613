import { Button, Group, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useReadOverviewQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { Discharges } from './Discharges';
import { FindSheet } from './FindSheet';
import { FirstSteps, useGettingStarted } from './FirstSteps';
import classes from './home.module.css';
import { Today } from './Today';
import { useWard } from './useWard';
import { Ward } from './Ward';
import { WorklistLink } from './WorklistLink';

/**
 * Show today and the rooms where the user works.
 *
 * `children` come below. A new hospital gets its first steps instead.
 */
export function Overview({ children }: { children?: ReactNode }) {
  const t = useText();
  const mayOpen = useCan('sheets.open');
  // Other users record too, so the cached overview is shown while it is refetched.
  const overview = useReadOverviewQuery(undefined, { refetchOnMountOrArgChange: true });
  throwOnError(overview);
  const ward = useWard();
  const steps = useGettingStarted(overview.data?.open_sheets === 0);
  if (steps?.length) return <FirstSteps steps={steps} />;
  const today = steps && overview.data;
  // What comes below the ward appears together with it, because the ward would move it.
  const data = ward.data && today;
  return (
    <Stack gap="xl" className={classes.page}>
      <div className={classes.start}>
        <FindSheet />
        {mayOpen && (
          <Button
            component={Link}
            to="/consumption-sheets/create"
            data-shortcut="new"
            size="lg"
            leftSection={<IconPlus size={22} aria-hidden />}
          >
            {t('sheets.open')}
          </Button>
        )}
      </div>
      <Group justify="space-between" mih="var(--touch)">
        <Today overview={today} />
        <WorklistLink />
      </Group>
      <Ward ward={ward.currentData} areas={ward.data?.areas} />
      {data && <Discharges overview={data} />}
      {/* It loads its data meanwhile, but is hidden until the lists above are loaded, because they would move it. */}
      <div className={data ? undefined : classes.waiting}>{children}</div>
    </Stack>
  );
}
