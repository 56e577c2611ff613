import { type RoomView, useListRoomsQuery, useReadRoomQuery } from '@/api/generated';
import { OPTIONS_LIMIT } from '@/api/limits';
import { useText } from '@/i18n/useText';
import { SearchSelect, type SearchSelectProps } from '@/shared/forms/SearchSelect';
import { fullName } from '@/shared/records/fullName';
import { roomStatusLabels } from './roomLabels';

type Props = Omit<SearchSelectProps<RoomView>, 'useFound' | 'nameOf' | 'noteOf'> & {
  /** Only the rooms of this area. */
  areaId?: number;
  /** The sheet of the patient who gets the room, and therefore is not named as another occupant. */
  sheetId?: number;
};

/** Selector for rooms that says which are occupied, and by whom. */
export function RoomSelect({ areaId, sheetId, description, ...rest }: Props) {
  const t = useText();
  const { value } = rest;
  const useRooms = (q: string | undefined, skip: boolean) =>
    useListRoomsQuery({ q, areaId, sort: q ? undefined : 'area', limit: OPTIONS_LIMIT }, { skip });
  const chosen = useReadRoomQuery({ roomId: value ?? 0 }, { skip: !value });
  const occupants = (room: RoomView | undefined) =>
    (room?.sheets ?? [])
      .filter(({ id }) => id !== sheetId)
      .map(({ patient }) => fullName(patient))
      .join(', ');
  const others = occupants(chosen.currentData);
  return (
    <SearchSelect<RoomView>
      {...rest}
      description={others ? t('rooms.occupiedBy', { people: others }) : description}
      useFound={useRooms}
      nameOf={({ name }) => name}
      noteOf={(room) =>
        [room.area.name, t(roomStatusLabels[room.status] ?? 'rooms.available'), occupants(room)]
          .filter(Boolean)
          .join(' · ')
      }
    />
  );
}
