import { Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useReadWardQuery } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { fullName } from '@/shared/records/fullName';
import { detailsOf } from '@/shared/records/sheetAddresses';
import { Section } from './Section';
import classes from './shift.module.css';

/** The occupied beds where the user works that have no line today. */
export function BedsWithoutLines() {
  const t = useText();
  const area = useSession().user?.ward?.area;
  const { data } = useReadWardQuery({ areaId: area?.id }, { refetchOnMountOrArgChange: true });
  // The rest of the page is useful without it.
  if (!data) return null;
  const occupied = data.rooms.flatMap(({ name, sheets }) => sheets.map((sheet) => ({ room: name, sheet })));
  const quiet = occupied.filter(({ sheet }) => sheet.lines_today === 0);
  if (occupied.length === 0) return null;
  return (
    <Section
      title={[t('shift.noBeds'), area?.name].filter(Boolean).join(': ')}
      count={quiet.length || undefined}
    >
      {quiet.length === 0 ? (
        <Text c="dimmed" className={classes.nothing}>
          {t('shift.allHaveLines')}
        </Text>
      ) : (
        <ul className={`${classes.list} ${classes.beds}`}>
          {quiet.map(({ room, sheet }) => (
            <li key={sheet.id}>
              <Link to={detailsOf(sheet)} className={classes.bed}>
                <span className={classes.room}>{room}</span> <span>{fullName(sheet.patient)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
