import { type ReactNode, useCallback, useRef, useState } from 'react';
import ScannerListener from './ScannerListener';
import { type ScanHandler, ScanHandlersContext, type Scanned } from './scanHandlers';

interface Props {
  /** Receives scans that no page handles. */
  onScan: (scanned: Scanned) => void;
  children: ReactNode;
}

/** Provide the scanner to every page from its first moment on. */
export function ScannerProvider({ onScan, children }: Props) {
  const handlers = useRef<ScanHandler[]>([]);
  const [hasHandlers, setHasHandlers] = useState(false);

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
      <ScannerListener handlers={handlers} hasHandlers={hasHandlers} onScan={onScan} />
    </ScanHandlersContext>
  );
}
