import { expect, it } from 'vitest';
import { splitRoomName } from './roomName';

it.each([
  ['Habitación 201', 'Habitación', '201'],
  ['Sala de partos  2 cama B', 'Sala de partos', '2 cama B'],
  ['UCI-3', '', 'UCI-3'],
  ['2.º piso, cama 5', '', '2.º piso, cama 5'],
  ['Sala de yesos', '', 'Sala de yesos'],
])('splits the room %s into kind and number', (name, kind, number) => {
  expect(splitRoomName(name)).toEqual({ kind, number });
});
