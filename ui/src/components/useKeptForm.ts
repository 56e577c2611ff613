import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { keepForm, takeForm } from '@/session/keptWork';
import { useAppStore } from '@/storeHooks';

/** What a person has filled in and not saved is there again when they come back after the session ended. */
export function useKeptForm<Values>(form: UseFormReturnType<Values>) {
  const store = useAppStore();
  const { pathname } = useLocation();
  const latest = useRef(form);
  latest.current = form;

  useEffect(() => {
    const userId = store.getState().session.user?.id;
    if (userId === undefined) return;
    const kept = takeForm(userId, pathname);
    if (kept) latest.current.setValues(kept as Partial<Values>);
    return () => {
      const { isDirty, getValues } = latest.current;
      const isGone = store.getState().session.user?.id !== userId;
      const values = Object.entries(getValues() as object);
      // What was not touched may be changed by others meanwhile; passwords are typed anew.
      const touched = values.filter(([name]) => isDirty(name) && !name.includes('password'));
      if (isGone && touched.length > 0) keepForm(userId, pathname, Object.fromEntries(touched));
    };
  }, [store, pathname]);
}
