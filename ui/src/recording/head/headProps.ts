import type { ProductView } from '@/api/generated';
import type { DetailsBatch } from '../batch/items';
import type { Density } from '../lines/useDensity';

/** What the page tells the head of its subject. */
export interface HeadProps {
  lines: number;
  /** Whether nothing can be recorded on the sheet any more. */
  over: boolean;
  /** How many entries are being sent or wait for the server. */
  waiting: number;
  /** How many entries wait for a person. */
  held: number;
  /** Whether sending is stopped. */
  isStopped: boolean;
  onSend: () => Promise<void>;
  /** True while lines and total are being refetched. */
  stale: boolean;
  /** Go to a line that may need correction before closing. */
  onMend: (detailId: number) => void;
  /** Set the time of use of the next lines; null is now. */
  onRecordAt: (moment: string | null) => void;
  /** Put a product into the bar. */
  onRecord: (productId: number, quantity?: number) => void;
  /** How many rows wait for what the area uses them for. */
  withoutReason: number;
  density: Density;
  onDensity: (density: Density) => void;
  /** Record the supplies of another day, or save lines of the sheet as a personal kit. */
  onBatch?: (batch: DetailsBatch) => void;
  /** Photograph packs. */
  onPhoto?: () => void;
  /** Show the voided lines. */
  onVoided: () => void;
  /** The products that are usual here. */
  usual: ProductView[] | undefined;
}
