import type { RouteObject } from 'react-router-dom';
import { withLaterTexts } from '@/i18n/messages';
import { crudRoutes, page, permitted } from './parts';

/** Patients and staff. */
export const peopleRoutes = (): RouteObject[] => [
  crudRoutes('patients', 'patients.title', 'patients.save', {
    list: withLaterTexts(() => import('@/topics/people/patients/PatientsPage')),
    create: ['patients.create', withLaterTexts(() => import('@/topics/people/patients/PatientFormPage'))],
    show: ['patients.one', withLaterTexts(() => import('@/topics/people/patients/PatientPage'))],
    edit: ['patients.edit', withLaterTexts(() => import('@/topics/people/patients/PatientFormPage'))],
    more: [
      permitted(
        'patients.readers',
        page(
          ':id/readers',
          'readers.title',
          withLaterTexts(() => import('@/topics/history/ReadersPage')),
        ),
      ),
      permitted(
        'patients.save',
        page(
          ':id/identify',
          'unidentified.identify',
          withLaterTexts(() => import('@/topics/people/patients/IdentifyPage')),
        ),
      ),
      permitted(
        'patients.merge',
        page(
          ':id/merge',
          'merge.title',
          withLaterTexts(() => import('@/topics/people/patients/MergePage')),
        ),
      ),
    ],
  }),
  permitted(
    'staff.manage',
    crudRoutes('staff', 'staff.title', 'staff.manage', {
      list: withLaterTexts(() => import('@/topics/people/staff/StaffListPage')),
      create: ['staff.create', withLaterTexts(() => import('@/topics/people/staff/StaffFormPage'))],
      show: ['staff.one', withLaterTexts(() => import('@/topics/people/staff/StaffPage'))],
      edit: ['staff.edit', withLaterTexts(() => import('@/topics/people/staff/StaffFormPage'))],
    }),
  ),
];
