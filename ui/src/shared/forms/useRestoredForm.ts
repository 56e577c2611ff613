import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'react-router-dom';
import { popForm, saveForm } from '@/session/savedWork';
import { useAppStore } from '@/state/storeHooks';

/** Restore unsaved form values when the user signs in again. */
export function useRestoredForm<Values>(form: UseFormReturnType<Values>) {
  const store = useAppStore();
  const { pathname } = useLocation();
  const restore = useEffectEvent((saved: object) => form.setValues(saved as Partial<Values>));
  const save = useEffectEvent((userId: number, path: string) => {
    const values = Object.entries(form.getValues() as object);
    // Untouched fields may change meanwhile, so they are not kept. Passwords are never kept.
    const touched = values.filter(([name]) => form.isDirty(name) && !name.includes('password'));
    if (touched.length > 0) saveForm(userId, path, Object.fromEntries(touched));
  });

  useEffect(() => {
    const userId = store.getState().session.user?.id;
    if (userId === undefined) return;
    const saved = popForm(userId, pathname);
    if (saved) restore(saved);
    return () => {
      const isGone = store.getState().session.user?.id !== userId;
      if (isGone) save(userId, pathname);
    };
  }, [store, pathname]);
}
