import { Fragment, type ReactNode } from 'react';
import { throwOnError } from '@/api/problem';
import { PageLoader } from './PageLoader';

interface Props<T> {
  /** The query of the page's record. */
  read: { currentData?: T; data?: unknown; error?: unknown };
  children: (record: T) => ReactNode;
}

/**
 * Show a record once it is loaded; a failure leads to the error page.
 *
 * Another record gets another form, so that no typed value stays.
 */
export function Loaded<T extends { id: number }>({ read, children }: Props<T>) {
  throwOnError(read);
  const { currentData: record } = read;
  return record ? <Fragment key={record.id}>{children(record)}</Fragment> : <PageLoader />;
}
