import { Button, SegmentedControl, Text, TextInput } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type ShiftView, useReadShiftQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { serverNow } from '@/api/serverClock';
import { useHospitalClock } from '@/i18n/hospitalClock';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { fullName } from '@/shared/records/fullName';
import { PageLoader } from '@/shared/ui/PageLoader';
import { NoticeList } from '@/topics/sheets/notices/NoticeList';
import { BedsWithoutLines } from './BedsWithoutLines';
import { OpenWorkList } from './OpenWorkList';
import { RecordedSheets } from './RecordedSheets';
import { Section } from './Section';
import classes from './shift.module.css';
import { lastMomentAt, usableSince } from './since';

/** What the user recorded in the shift and what is still open, to hand it over. */
export default function ShiftPage() {
  const [params, setParams] = useSearchParams();
  const since = usableSince(params.get('since'), serverNow());
  const shift = useReadShiftQuery({ since }, { refetchOnMountOrArgChange: true, refetchOnFocus: true });
  throwOnError(shift);
  if (!shift.data) return <PageLoader />;
  return (
    <div className={classes.page} aria-busy={shift.isFetching}>
      <Head shift={shift.data} onSince={(moment) => setParams({ since: moment }, { replace: true })} />
      <Shift shift={shift.data} />
    </div>
  );
}

interface HeadProps {
  shift: ShiftView;
  onSince: (moment: string) => void;
}

const OTHER = 'other';

/** The choice of the period; on paper, whose shift it is. */
function Head({ shift, onSince }: HeadProps) {
  const t = useText();
  const format = useFormat();
  const clock = useHospitalClock();
  const { user } = useSession();
  const { since, until, shifts } = shift;
  const [asksTime, setAsksTime] = useState(false);
  const chosen = shifts.find((one) => Date.parse(one.since) === Date.parse(since));
  // Shortly after a change of shifts, the one before and what follows it are listed together.
  const isOneShift = chosen && (chosen === shifts[0] || until !== null);
  const value = asksTime || !isOneShift ? OTHER : chosen.since;
  const labels = [t('shift.present'), t('shift.previous')];
  return (
    <>
      <div className={classes.paperHead}>
        <b>{t('shift.handOver')}</b>
        <span>{user?.profile ? fullName(user.profile) : user?.email}</span>
        <span>{format.moment(serverNow().toISOString())}</span>
      </div>
      <div className={classes.head}>
        <SegmentedControl
          aria-label={t('reports.period')}
          className={classes.periods}
          value={value}
          onChange={(moment) => {
            setAsksTime(moment === OTHER);
            if (moment !== OTHER) onSince(moment);
          }}
          data={[
            ...shifts.map((one, place) => ({ value: one.since, label: labels[place] ?? one.name })),
            { value: OTHER, label: t('shift.from') },
          ]}
        />
        {value === OTHER && (
          <TextInput
            type="time"
            aria-label={t('shift.from')}
            className={classes.time}
            defaultValue={format.time(since)}
            onChange={({ currentTarget: { value: time } }) =>
              time && onSince(lastMomentAt(time, serverNow(), clock))
            }
          />
        )}
        <Button
          variant="default"
          className={classes.print}
          leftSection={<IconPrinter size={20} aria-hidden />}
          onClick={() => window.print()}
        >
          {t('action.print')}
        </Button>
      </div>
    </>
  );
}

function Shift({ shift }: { shift: ShiftView }) {
  const t = useText();
  const format = useFormat();
  const { since, until, sheets, notices } = shift;
  const linesOf = (some: typeof sheets) => some.reduce((sum, sheet) => sum + sheet.lines, 0);
  const ofPatients = sheets.filter(({ patient }) => patient);
  const lines = linesOf(ofPatients);
  const patients = new Set(ofPatients.map(({ patient }) => patient?.id)).size;
  const isToday = format.dayOf(since) === format.dayOf(serverNow());
  return (
    <>
      <Text className={classes.summary} role="status">
        {t('shift.since', {
          day: isToday ? 'today' : format.shortDay(format.dayOf(since)),
          time: format.time(since),
          until: until ? format.time(until) : 'now',
          lines,
          patients,
          area: linesOf(sheets) - lines,
        })}
      </Text>
      <div className={classes.columns}>
        <div className={classes.column}>
          <Section title={t('shift.recorded')}>
            <RecordedSheets sheets={sheets} />
          </Section>
        </div>
        <div className={classes.column}>
          <Section title={t('shift.open')}>
            <OpenWorkList shift={shift} />
          </Section>
          <BedsWithoutLines />
          {notices.length > 0 && (
            <Section title={t('notices.title')} count={notices.length}>
              <NoticeList notices={notices} />
            </Section>
          )}
        </div>
      </div>
    </>
  );
}
