import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Person } from '@/scan/wristbands';
import { settled } from '@/shared/forms/useUnsavedChangesPrompt';

/** Show the patient whose wristband was scanned on another page, once. */
export function useArrival() {
  const { state, pathname } = useLocation();
  const navigate = useNavigate();
  const [person, setPerson] = useState((state as { arrival?: Person } | null)?.arrival ?? null);
  const receive = useEffectEvent(() => {
    // A reload must not show the patient again.
    if (person) navigate(pathname, { replace: true, state: settled });
  });
  useEffect(() => receive(), []);
  return { person, onSeen: () => setPerson(null) };
}
