import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codeKey } from './fold';

const { same, different } = JSON.parse(readFileSync('../tests/code_cases.json', 'utf-8'));

it.each<string[][]>(same.map((spellings: string[]) => [spellings]))('gives one key to %j', (spellings) => {
  expect(new Set(spellings.map(codeKey)).size).toBe(1);
});

it.each<string[]>(different)('gives different keys to %j and %j', (one, other) => {
  expect(codeKey(one)).not.toBe(codeKey(other));
});
