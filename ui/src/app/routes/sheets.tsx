import type { RouteObject } from 'react-router-dom';
import { withLaterTexts } from '@/i18n/messages';
import SheetDetailsPage from '@/recording/SheetDetailsPage';
import { indexPage, lazyPage, page, permitted, section } from './parts';

/** Sheets, their lines and their paper forms. */
export const sheetRoutes = (): RouteObject[] => [
  section(
    'consumption-sheets',
    'sheets.title',
    indexPage(() => import('@/topics/sheets/SheetsPage')),
    page('create', 'sheets.open', () => import('@/topics/sheets/form/OpenSheetPage')),
    permitted(
      'patients.save',
      page('unidentified', 'unidentified.admit', () => import('@/topics/sheets/form/AdmitUnidentifiedPage')),
    ),
    section(
      'closed',
      'sheets.closed.title',
      indexPage(withLaterTexts(() => import('@/topics/sheets/closed/ClosedSheetsPage'))),
      page(
        'paper',
        'paper.title',
        withLaterTexts(() => import('@/topics/sheets/closed/PaperPage')),
      ),
      page(
        ':id',
        'sheets.closed.one',
        withLaterTexts(() => import('@/topics/sheets/closed/ClosedSheetPage')),
      ),
    ),
    section(
      'areas',
      'area.title',
      indexPage(withLaterTexts(() => import('@/topics/sheets/areas/AreaSheetsPage'))),
      permitted('details.add', {
        path: ':areaId',
        ...lazyPage(() => import('@/recording/AreaSheetPage')),
      }),
    ),
    section('forms', 'forms.title', indexPage(withLaterTexts(() => import('@/topics/forms/FormsPage'))), {
      path: ':id',
      ...lazyPage(withLaterTexts(() => import('@/topics/forms/FormPage'))),
    }),
    { path: ':id', ...lazyPage(() => import('@/topics/sheets/SheetPage')) },
    page(
      ':id/account',
      'sheets.account',
      withLaterTexts(() => import('@/topics/sheets/account/AccountPage')),
    ),
    page(':id/edit', 'sheets.edit', () => import('@/topics/sheets/form/EditSheetPage')),
    permitted(
      'sheets.history',
      page(
        ':id/history',
        'sheets.history.title',
        withLaterTexts(() => import('@/topics/history/SheetHistoryPage')),
      ),
    ),
  ),
  section(
    'consumption-sheet-details',
    'details.all',
    indexPage(() => import('@/topics/sheets/line-pages/DetailsPage')),
    page(':id', 'details.one', () => import('@/topics/sheets/line-pages/DetailPage')),
    { path: ':sheetId/consumption-details', handle: { title: 'details.title' }, Component: SheetDetailsPage },
    permitted(
      'details.add',
      page('create', 'details.create', () => import('@/topics/sheets/line-pages/CreateDetailPage')),
    ),
    permitted(
      'details.edit',
      page(':id/edit', 'details.edit', () => import('@/topics/sheets/line-pages/EditDetailPage')),
    ),
  ),
  permitted(
    'implants.read',
    page(
      'implants',
      'implants.title',
      withLaterTexts(() => import('@/topics/sheets/implants/ImplantsPage')),
    ),
  ),
];
