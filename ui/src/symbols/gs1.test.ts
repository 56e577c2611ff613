import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseBarcode } from './gs1';

interface Vector {
  scan: string;
  reads: Record<string, unknown>;
}
// The server's reader is tested with the same vectors: tests/adapters/test_scan.py.
const vectors: Vector[] = JSON.parse(readFileSync('../tests/scan_vectors.json', 'utf8'));

it.each(vectors.map((vector) => ({ ...vector, name: JSON.stringify(vector.scan) })))(
  'reads $name like the server',
  ({ scan, reads }) => {
    const { hibc, ofPerson, reading } = parseBarcode(scan);
    const told = Object.entries({ hibc, of_person: ofPerson, ...reading }).filter(([, value]) => value);
    const { gsrn: _, ...expected } = reads;
    expect(Object.fromEntries(told)).toEqual(expected);
  },
);
