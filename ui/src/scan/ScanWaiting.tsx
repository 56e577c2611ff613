import { Button } from '@mantine/core';
import { useText } from '@/i18n/useText';
import { destinationName, nameOfEntry } from './destinationName';
import type { Destination, GivenBack } from './queue';
import classes from './ScanWaiting.module.css';

interface Props {
  going: Destination | null;
  /** The number of entries that wait for that patient's page. */
  waiting: number;
  givenBack: GivenBack[];
  /** Whether the open page records. */
  mayUseHere: boolean;
  /** Do not wait for that page any longer. */
  onStay: () => void;
  onResume: (key: string, to: 'patient' | 'here' | 'nowhere') => void;
}

/** Show scans that wait for the page of their patient, or for a person to decide, on every page. */
export default function ScanWaiting({ going, waiting, givenBack, mayUseHere, onStay, onResume }: Props) {
  const t = useText();
  return (
    <div className={classes.band}>
      {going && waiting > 0 && (
        <div className={classes.row} role="status">
          <span>{t('scan.waitFor', { count: waiting, patient: destinationName(going) })}</span>
          <Button size="compact-md" variant="default" onClick={onStay}>
            {t('action.cancel')}
          </Button>
        </div>
      )}
      {givenBack.map(({ key, entries, sheetId, person }) => (
        <div key={key} className={classes.row} role="alert">
          <span>
            {t(person ? 'scan.givenBack' : 'scan.lineGivenBack', {
              patient: person ? destinationName({ sheetId, person }) : '',
              scans: entries.map(nameOfEntry).join(', '),
            })}
          </span>
          <span className={classes.answers}>
            {person && sheetId !== null && (
              <Button size="compact-md" onClick={() => onResume(key, 'patient')}>
                {t('scan.goTo', { patient: destinationName({ sheetId, person }) })}
              </Button>
            )}
            {mayUseHere && (
              <Button size="compact-md" variant="default" onClick={() => onResume(key, 'here')}>
                {t('scan.useHere')}
              </Button>
            )}
            <Button size="compact-md" variant="default" onClick={() => onResume(key, 'nowhere')}>
              {t('scan.drop')}
            </Button>
          </span>
        </div>
      ))}
    </div>
  );
}
