import { Anchor, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { HistoryView, WordedChangeView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import classes from './AuditList.module.css';

interface Props {
  entries: HistoryView[];
  /** Link to everything that a user did, for those who may see it. */
  personHref?: (userId: number) => string;
  /** Whether all entries are about one sheet. They then have no link to it. */
  ofOneSheet?: boolean;
  /** Whether all entries are about one patient. They then have no link to the patient. */
  ofOnePatient?: boolean;
}

/** Audit log entries as sentences, newest first and grouped by day. */
export function AuditList({ entries, ...rest }: Props) {
  const format = useFormat();
  const days = new Map<string, HistoryView[]>();
  for (const entry of entries) {
    const day = format.dayOf(entry.at);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days].map(([day, those]) => (
    <section key={day} aria-labelledby={`day-${day}`}>
      <Title order={2} id={`day-${day}`} className={classes.day}>
        {format.day(day)}
      </Title>
      <ol className={classes.list}>
        {those.map((entry) => (
          <Entry key={entry.id} entry={entry} {...rest} />
        ))}
      </ol>
    </section>
  ));
}

function Entry({
  entry,
  personHref,
  ofOneSheet,
  ofOnePatient,
}: Omit<Props, 'entries'> & { entry: HistoryView }) {
  const t = useText();
  const format = useFormat();
  const { who, did } = entry;
  const data = entry.in_words.filter(({ shown }) => shown === 'data');
  const mayReadReaders = useCan('patients.readers');
  const sheetId = entry.sheet_id ?? (entry.entity === 'consumption_sheet' ? entry.entity_id : null);
  const patientId = entry.entity === 'patient' ? entry.entity_id : entry.patient_id;
  return (
    <li className={classes.entry}>
      <Text component="time" dateTime={entry.at} c="dimmed" className={classes.time}>
        {format.time(entry.at)}
      </Text>
      <div className={classes.told}>
        <p className={classes.sentence}>
          {entry.user && personHref ? (
            <Anchor component={Link} to={personHref(entry.user.id)} fw={600} c="inherit">
              {who}
            </Anchor>
          ) : (
            <strong>{who}</strong>
          )}{' '}
          <span>{`${did}. `}</span>
          {entry.patient && !ofOneSheet && (
            <Anchor component={Link} to={`/consumption-sheets/${sheetId}`} underline="always">
              {t('audit.seeSheet')}
            </Anchor>
          )}{' '}
          {mayReadReaders && Boolean(patientId) && !ofOneSheet && !ofOnePatient && (
            <Anchor component={Link} to={`/patients/${patientId}/readers`} underline="always">
              {t('audit.whoSaw')}
            </Anchor>
          )}
        </p>
        <Changes changes={entry.in_words.filter(({ shown }) => shown !== 'data')} />
        {data.length > 1 && (
          <details>
            <summary className={classes.summary}>{t('audit.data')}</summary>
            <Changes changes={data} />
          </details>
        )}
      </div>
    </li>
  );
}

function Changes({ changes }: { changes: WordedChangeView[] }) {
  if (changes.length === 0) return null;
  return (
    <ul className={classes.changes}>
      {changes.map(({ field, text }) => (
        <li key={field}>{text}</li>
      ))}
    </ul>
  );
}
