import { Anchor, Button, Skeleton, Text, Title } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import type { WardView } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useAppSelector } from '@/state/storeHooks';
import { ChooseWard } from './ChooseWard';
import { countUnsent } from './countUnsent';
import { FreeTile, SheetTile } from './WardTile';
import classes from './ward.module.css';

interface Props {
  /** Undefined while loading. */
  ward: WardView | undefined;
  /** All areas with rooms, also while another area is loading. */
  areas: WardView['areas'] | undefined;
}

/** Show the rooms where the user works as tiles, one for each open sheet or free room. */
export function Ward({ ward, areas }: Props) {
  const t = useText();
  const chosen = useSession().user?.ward;
  const title = useId();
  const choices = useId();
  const [changing, setChanging] = useState(false);
  // With one area there is nothing to choose.
  const mayChoose = areas !== undefined && (areas.length > 1 || !!chosen?.area);
  const asks = mayChoose && !chosen;
  return (
    <section aria-labelledby={title} className={classes.ward} data-wide>
      {asks && <ChooseWard areas={areas} />}
      <div className={classes.head}>
        <Title order={2} id={title} className={classes.title}>
          {mayChoose && chosen ? (
            <Button
              variant="subtle"
              size="md"
              className={classes.place}
              aria-expanded={changing}
              aria-controls={choices}
              rightSection={<IconChevronDown size={18} aria-hidden />}
              onClick={() => setChanging(!changing)}
            >
              {chosen.area?.name ?? t('ward.wholeHospital')}
            </Button>
          ) : (
            t('ward.wholeHospital')
          )}
        </Title>
        <Anchor component={Link} to="/consumption-sheets" className={classes.all}>
          {t('home.allOpen')}
        </Anchor>
      </div>
      {mayChoose && chosen && (
        <div id={choices} hidden={!changing}>
          {changing && <ChooseWard areas={areas} onChosen={() => setChanging(false)} />}
        </div>
      )}
      {ward ? <Rooms ward={ward} /> : <LoadingRooms />}
    </section>
  );
}

function Rooms({ ward }: { ward: WardView }) {
  const t = useText();
  const unsent = countUnsent(useAppSelector(({ outbox }) => outbox.lines));
  if (ward.rooms.length === 0) return <Text c="dimmed">{t('ward.noRooms')}</Text>;
  const isEmpty = ward.rooms.every(({ sheets }) => sheets.length === 0);
  return (
    <>
      {isEmpty && <Text c="dimmed">{t('home.noneOpen')}</Text>}
      {ward.more_rooms && <Text c="dimmed">{t('ward.moreRooms', { count: ward.rooms.length })}</Text>}
      <ul className={classes.rooms}>
        {ward.rooms.map((room) =>
          room.sheets.length === 0 ? (
            <li key={room.id}>
              <FreeTile room={room} />
            </li>
          ) : (
            room.sheets.map((sheet) => (
              <li key={`${room.id} ${sheet.id}`}>
                <SheetTile room={room} sheet={sheet} today={ward.day} unsent={unsent.get(sheet.id) ?? 0} />
              </li>
            ))
          ),
        )}
      </ul>
    </>
  );
}

function LoadingRooms() {
  return (
    <div className={classes.rooms}>
      {Array.from({ length: 12 }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
        <Skeleton key={place} className={classes.loading} />
      ))}
    </div>
  );
}
