import type { PatientView } from '@/api/generated';

const patient: PatientView = {
  id: 11,
  name: 'María',
  first_surname: 'Quispe',
  second_surname: 'Mamani',
  date_of_birth: '1985-02-01',
  record_number: 'HC-104',
  active: 1,
  open_sheets: 0,
  merged_into: null,
};

export const aPatient = (change: Partial<PatientView> = {}): PatientView => ({ ...patient, ...change });
