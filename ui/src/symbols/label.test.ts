import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseLabel } from './label';

interface Cases {
  installation: number;
  labels: { text: string; reads: { kind: string; number: number; foreign: boolean } }[];
  papers: { text: string; kind: string; number: number; foreign: boolean }[];
  others: string[];
}
const cases: Cases = JSON.parse(readFileSync('../tests/label_cases.json', 'utf8'));

it.each(cases.labels)('reads $text like the server', ({ text, reads: { kind, number, foreign } }) => {
  const label = parseLabel(text);
  expect(label).toMatchObject({ kind, number });
  expect(label?.installation !== cases.installation).toBe(foreign);
});

it.each(cases.papers)('reads the paper $text like the server', ({ text, kind, number, foreign }) => {
  const label = parseLabel(text);
  expect(label).toMatchObject({ kind, number });
  expect(label?.installation !== cases.installation).toBe(foreign);
});

it.each(cases.others)('ignores “%s”', (text) => {
  expect(parseLabel(text)).toBeNull();
});
