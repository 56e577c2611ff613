import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { type ScanHandler, ScanHandlersContext, type Scanned } from './scanHandlers';

const ScannerListener = lazy(() => import('./ScannerListener'));

interface Props {
  /** Takes what no page hears. */
  onScan: (scanned: Scanned) => void;
  children: ReactNode;
}

/** Let every page hear the scanner. What listens is loaded once the page is there. */
export function ScannerProvider({ onScan, children }: Props) {
  const handlers = useRef<ScanHandler[]>([]);
  const [hasHandlers, setHasHandlers] = useState(false);
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);

  const add = useCallback((handler: ScanHandler) => {
    handlers.current.push(handler);
    setHasHandlers(true);
    return () => {
      handlers.current = handlers.current.filter((one) => one !== handler);
    };
  }, []);

  return (
    <ScanHandlersContext value={add}>
      {children}
      {isReady && (
        <Suspense>
          <ScannerListener handlers={handlers} hasHandlers={hasHandlers} onScan={onScan} />
        </Suspense>
      )}
    </ScanHandlersContext>
  );
}
