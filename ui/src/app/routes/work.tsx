import type { RouteObject } from 'react-router-dom';
import { withLaterTexts } from '@/i18n/messages';
import { indexPage, page, permitted, section } from './parts';

/** What a shift does apart from sheets: the work list, practice and restocking. */
export const workRoutes = (): RouteObject[] => [
  permitted(
    'late_entries.manage',
    page(
      'worklist',
      'worklist.title',
      withLaterTexts(() => import('@/topics/ward/worklist/WorklistPage')),
    ),
  ),
  permitted(
    'details.add',
    page(
      'shift',
      'shift.title',
      withLaterTexts(() => import('@/topics/ward/shift/ShiftPage')),
    ),
    section(
      'practice',
      'practice.title',
      indexPage(withLaterTexts(() => import('@/recording/practice/PracticePage'))),
      page(
        'codes',
        'practice.codes.title',
        withLaterTexts(() => import('@/recording/practice/PracticeCodesPage')),
      ),
    ),
  ),
  permitted(
    'restock.close',
    section(
      'restock',
      'restock.title',
      indexPage(withLaterTexts(() => import('@/topics/restock/RestockPage'))),
      page(
        'lists',
        'restock.lists',
        withLaterTexts(() => import('@/topics/restock/ClosedListsPage')),
      ),
      page(
        'lists/:id',
        'restock.one',
        withLaterTexts(() => import('@/topics/restock/ClosedListPage')),
      ),
      permitted(
        'catalogue.manage',
        page(
          'shelves',
          'restock.shelves',
          withLaterTexts(() => import('@/topics/restock/ShelvesPage')),
        ),
      ),
    ),
  ),
];
