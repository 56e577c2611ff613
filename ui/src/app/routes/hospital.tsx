import type { RouteObject } from 'react-router-dom';
import { withLaterTexts } from '@/i18n/messages';
import { indexPage, page, permitted, section } from './parts';

/** What concerns the whole hospital: its settings, history and status, other systems, reports and imports. */
export const hospitalRoutes = (): RouteObject[] => [
  permitted(
    'hospital.manage',
    page(
      'hospital',
      'hospital.title',
      withLaterTexts(() => import('@/topics/hospital/HospitalPage')),
    ),
  ),
  permitted(
    'audit.read',
    page(
      'audit',
      'audit.title',
      withLaterTexts(() => import('@/topics/history/AuditPage')),
    ),
  ),
  permitted(
    'status.read',
    page(
      'status',
      'status.title',
      withLaterTexts(() => import('@/topics/status/StatusPage')),
    ),
  ),
  permitted(
    'messages.read',
    page(
      'messages',
      'messages.title',
      withLaterTexts(() => import('@/topics/messages/InboundMessagesPage')),
    ),
    page(
      'messages/outbound',
      'outbound.title',
      withLaterTexts(() => import('@/topics/messages/OutboundMessagesPage')),
    ),
  ),
  permitted(
    'reports.read',
    page(
      'reports/consumption',
      'reports.title',
      withLaterTexts(() => import('@/topics/reports/ConsumptionReportPage')),
    ),
    permitted(
      'prices.see',
      section(
        'reports/months',
        'months.title',
        indexPage(withLaterTexts(() => import('@/topics/reports/months/MonthsPage'))),
        page(
          ':id',
          'months.one',
          withLaterTexts(() => import('@/topics/reports/months/MonthPage')),
        ),
      ),
    ),
    permitted(
      'imports.run',
      page(
        'reports/reconciliation',
        'reconciliation.title',
        withLaterTexts(() => import('@/topics/imports/reconciliation/ReconciliationPage')),
      ),
    ),
  ),
  permitted(
    'imports.run',
    section(
      'imports',
      'imports.title',
      indexPage(withLaterTexts(() => import('@/topics/imports/ImportsPage'))),
      page(
        'create',
        'imports.create',
        withLaterTexts(() => import('@/topics/imports/ImportFilePage')),
      ),
    ),
  ),
];
