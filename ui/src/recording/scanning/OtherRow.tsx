import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { NotedCodeView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { nameOfEntry } from '@/scan/destinationName';
import { labelText } from '@/scan/labelText';
import type { Entry } from '@/scan/queue';
import { usePackText } from '@/scan/usePackText';
import type { Person } from '@/scan/wristbands';
import { useCan } from '@/session/useCan';
import { fullName } from '@/shared/records/fullName';
import { ProductNote } from '@/topics/catalogue/productSearch';
import classes from './OpenRows.module.css';
import type { Match, Row, Scan } from './recorderState';
import { packOf } from './scannedPack';
import type { RecorderControl } from './useRecorder';

interface Props {
  row: Row;
  recorder: RecorderControl;
  onLink: (key: string, raw: string, noted: NotedCodeView) => void;
  onName: (key: string, scan: Scan) => void;
}

/** Show a row without a line, most often a question. */
export function OtherRow({ row, recorder, onLink, onName }: Props) {
  const t = useText();
  const format = useFormat();
  const mayLink = useCan('catalogue.manage');
  const choosesByName = useCan('catalogue.read');
  const { send, retry } = recorder;
  const packText = usePackText()(packOf('scan' in row ? row.scan.reading : null));
  switch (row.kind) {
    case 'pack':
      return <What text={t('scan.packOf', { pack: packText })} />;
    case 'bare':
      return (
        <What text={t('scan.bare', { text: row.scan.raw.trim() })}>
          <Button variant="default" onClick={() => send({ type: 'bareTaken', key: row.key })}>
            {packText}
          </Button>
        </What>
      );
    case 'differs': {
      const names = { lot: 'details.lot', expiry: 'details.expiry', serial: 'details.serial' } as const;
      const line = recorder.rows.find(({ key }) => key === row.lineKey);
      const { reading } = row.scan;
      const text = row.parts.map((part) =>
        t('scan.differs', {
          part: t(names[part]),
          told: String(reading?.[part]),
          known: String(line?.kind === 'line' ? line.values[part] : ''),
        }),
      );
      return (
        <What text={text.join(' ')}>
          <Button variant="default" onClick={() => send({ type: 'anotherPack', key: row.key })}>
            {t('scan.another')}
          </Button>
          <Button variant="default" onClick={() => send({ type: 'lineCorrected', key: row.key })}>
            {t('scan.correct')}
          </Button>
        </What>
      );
    }
    case 'choice':
      return (
        <What text={t(CHOICES[row.about], { text: row.scan.raw.trim() })}>
          <Products
            matches={row.matches}
            onChoose={(match) => send({ type: 'matchChosen', key: row.key, match })}
          />
          <Patients
            people={row.people}
            onChoose={(sheetId) => send({ type: 'patientChosen', key: row.key, sheetId })}
          />
        </What>
      );
    case 'wristband':
      return (
        <Wristband row={row} onChoose={(sheetId) => send({ type: 'patientChosen', key: row.key, sheetId })} />
      );
    case 'note':
      return (
        <What
          text={t(row.isFailed ? 'unlisted.waits' : 'unlisted.noting', {
            what: format.counted(row.quantity, row.description),
          })}
        >
          {row.isFailed ? (
            <Button variant="default" onClick={retry}>
              {t('action.retry')}
            </Button>
          ) : (
            <Loader size="xs" aria-hidden />
          )}
        </What>
      );
    case 'setAside': {
      const { quantity, product } = row.unit;
      return (
        <What
          text={t(row.isFailed ? 'scan.setAsideWaits' : 'scan.settingAside', {
            what: format.counted(quantity, product),
          })}
        >
          {row.isFailed ? (
            <Button variant="default" onClick={retry}>
              {t('action.retry')}
            </Button>
          ) : (
            <Loader size="xs" aria-hidden />
          )}
        </What>
      );
    }
    case 'inactive':
      return <What text={t('scan.inactive', { product: row.product })} />;
    case 'label':
      return <What text={t(labelText(row.label))} />;
    case 'unknown': {
      const { noted } = row;
      const title = t('scan.unknown', { code: row.code });
      const hints = [
        noted && !mayLink && t('scan.noted'),
        row.readAs !== null && t('scan.keyboard', { text: row.readAs }),
      ].filter(Boolean);
      return (
        <What text={hints.length > 0 ? `${title}. ${hints.join(' ')}` : title}>
          {choosesByName && (
            <Button variant="default" onClick={() => onName(row.key, row.scan)}>
              {t('scan.byName')}
            </Button>
          )}
          {noted && mayLink && (
            <Button variant="default" onClick={() => onLink(row.key, row.scan.raw, noted)}>
              {t('scan.isProduct')}
            </Button>
          )}
        </What>
      );
    }
    case 'line':
      return null;
  }
}

/** Show a scan that waits for its answer, or for its turn. */
export function LookingRow({ entry, onRetry }: { entry: Entry; onRetry: () => void }) {
  const t = useText();
  const code = nameOfEntry(entry);
  if (entry.isFailed)
    return (
      <What text={t('scan.unansweredCode', { code })}>
        <Button variant="default" onClick={onRetry}>
          {t('action.retry')}
        </Button>
      </What>
    );
  const isWaiting = entry.answer !== null || entry.code === null;
  return (
    <What text={t(isWaiting ? 'scan.waits' : 'scan.lookingUp', { code })}>
      {!isWaiting && <Loader size="xs" aria-hidden />}
    </What>
  );
}

export const CHOICES = {
  several: 'scan.several',
  keyboard: 'scan.keyboardAsks',
  clash: 'scan.clash',
} as const satisfies Record<string, MessageId>;

/** Show the text of a row, and the buttons that answer it. */
function What({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className={classes.what}>
      <span>{text}</span>
      {children && <div className={classes.line}>{children}</div>}
    </div>
  );
}

function Products({ matches, onChoose }: { matches: Match[]; onChoose: (match: Match) => void }) {
  return matches
    .filter(({ product }) => product.active)
    .map((match) => (
      <Button key={match.product.id} variant="default" onClick={() => onChoose(match)}>
        <span>{`${match.product.name} · `}</span>
        <ProductNote product={match.product} />
      </Button>
    ));
}

function Patients({ people, onChoose }: { people: Person[]; onChoose: (sheetId: number) => void }) {
  return people.flatMap((person) =>
    person.sheets.map(({ id, room }) => (
      <Button key={id} variant="default" onClick={() => onChoose(id)}>
        {[fullName(person), room.name, person.record_number].filter(Boolean).join(' · ')}
      </Button>
    )),
  );
}

function Wristband({
  row,
  onChoose,
}: {
  row: Extract<Row, { kind: 'wristband' }>;
  onChoose: (sheetId: number) => void;
}) {
  const t = useText();
  const mayOpen = useCan('sheets.open');
  const sheets = row.people.flatMap((person) => person.sheets);
  const [person] = row.people;
  if (!person) return null;
  if (sheets.length === 0)
    return (
      <What text={t('scan.noSheet', { patient: fullName(person) })}>
        {mayOpen && (
          <Button component={Link} to={`/consumption-sheets/create?patient=${person.id}`} variant="default">
            {t('scan.newSheet', { patient: fullName(person) })}
          </Button>
        )}
      </What>
    );
  if (sheets.length === 1) return <What text={t('scan.thisPatient', { patient: fullName(person) })} />;
  return (
    <What text={t('scan.severalSheets')}>
      <Patients people={row.people} onChoose={onChoose} />
    </What>
  );
}
