import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { settled } from '@/components/forms/useUnsavedChangesPrompt';
import type { Arrival, RecorderControl } from './useRecorder';

/**
 * Receive a patient whose wristband was scanned on another page.
 *
 * The scans that followed are applied here.
 */
export function useArrival({ scan }: RecorderControl) {
  const { state, pathname } = useLocation();
  const navigate = useNavigate();
  const [arrival, setArrival] = useState((state as { arrival?: Arrival } | null)?.arrival ?? null);
  const receive = useEffectEvent(() => {
    if (!arrival) return;
    // A reload must not apply the scans again.
    navigate(pathname, { replace: true, state: settled });
    for (const code of arrival.scans) scan({ code });
  });
  useEffect(() => receive(), []);
  return { person: arrival?.person ?? null, onSeen: () => setArrival(null) };
}
