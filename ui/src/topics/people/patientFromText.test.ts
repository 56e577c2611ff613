import { expect, it } from 'vitest';
import { patientFromText } from './PatientFields';

it.each([
  ['HC-0082', { record_number: 'HC-0082' }],
  ['rosa', { name: 'rosa', first_surname: '' }],
  ['Rosa  Núñez ', { name: 'Rosa', first_surname: 'Núñez' }],
  ['Rosa Elena Núñez Paz', { name: 'Rosa Elena', first_surname: 'Núñez', second_surname: 'Paz' }],
])('fills in a new patient from %j', (text, expected) => {
  expect(patientFromText(text)).toEqual(expected);
});
