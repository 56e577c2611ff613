import { Button } from '@mantine/core';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { Link } from 'react-router-dom';
import { useReadAreaQuery, useReadPatientQuery, useReadRoomQuery } from '@/api/generated';
import { fullName } from '@/components/fullName';
import type { ListState } from '@/components/useListState';
import { useText } from '@/i18n/useText';

interface ThingProps {
  list: ListState;
  /** Under which name its id stands in the address. */
  name: 'patient' | 'room' | 'area';
  /** What it is called, once that is known. */
  called: string | undefined;
}

/** Says that the list is of the sheets of one thing alone, and leads back to all of them. */
function OfThing({ list, name, called = '' }: ThingProps) {
  const t = useText();
  return (
    <Button
      component={Link}
      to={list.hrefWith({ [name]: undefined })}
      variant="light"
      maw="18rem"
      rightSection={<IconX size={18} aria-hidden />}
      title={t('sheets.ofEverybody')}
    >
      {name === 'patient' ? t('sheets.ofPatient', { patient: called }) : t('sheets.in', { place: called })}
    </Button>
  );
}

interface Props {
  list: ListState;
  id: number;
}

export function OfPatient({ list, id }: Props) {
  const { currentData: patient } = useReadPatientQuery({ patientId: id });
  return <OfThing list={list} name="patient" called={patient && fullName(patient)} />;
}

export function OfRoom({ list, id }: Props) {
  const { currentData: room } = useReadRoomQuery({ roomId: id });
  return <OfThing list={list} name="room" called={room?.name} />;
}

export function OfArea({ list, id }: Props) {
  const { currentData: area } = useReadAreaQuery({ areaId: id });
  return <OfThing list={list} name="area" called={area?.name} />;
}
