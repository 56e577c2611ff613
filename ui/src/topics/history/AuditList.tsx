import { Anchor, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { HistoryView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import classes from './AuditList.module.css';
import { type AuditChange, useAuditLabels } from './auditLabels';

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
  const words = useAuditLabels();
  const { who, did, whole } = words.sentence(entry);
  const changes = words.changes(entry);
  const notes = changes.filter(({ field }) => NOTES.has(field));
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
        <Changes changes={whole ? notes : changes} />
        {whole && changes.length - notes.length > 1 && (
          <details>
            <summary className={classes.summary}>{t('audit.data')}</summary>
            <Changes changes={changes.filter((change) => !notes.includes(change))} plain />
          </details>
        )}
      </div>
    </li>
  );
}

/** Changed fields that are shown as notes beside the sentence. */
const NOTES = new Set([
  'reason',
  'note',
  'address',
  'client',
  'failures',
  'groups',
  'moved_at',
  'patient_class',
  'message_id',
  'former_record_number',
]);

function Changes({ changes, plain }: { changes: AuditChange[]; plain?: boolean }) {
  const t = useText();
  const nothing = t('audit.nothing');
  if (changes.length === 0) return null;
  return (
    <ul className={classes.changes}>
      {changes.map(({ field, label, before, after }) => (
        <li key={field}>
          {plain || NOTES.has(field)
            ? t('audit.value', { field: label, value: after ?? before ?? nothing })
            : t('audit.beforeAndAfter', {
                field: label,
                before: before ?? nothing,
                after: after ?? nothing,
              })}
        </li>
      ))}
    </ul>
  );
}
