// Check the message catalogues: both have the same messages with the same placeholders, every message is used, and
// none is left untranslated. With --sort, sort both catalogues by key.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

const read = (file) => JSON.parse(readFileSync(`src/i18n/${file}.json`, 'utf8'));
const catalogue = (language) => ({ ...read(language), ...read(`later/${language}`) });

if (process.argv.includes('--sort')) {
  for (const file of ['es', 'en', 'later/es', 'later/en']) {
    const sorted = Object.fromEntries(Object.entries(read(file)).sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(`src/i18n/${file}.json`, `${JSON.stringify(sorted, null, 2)}\n`);
  }
}

const es = catalogue('es');
const en = catalogue('en');

/** Messages that are legitimately identical in both languages. */
const sameInBoth = new Set([
  'hospital.title',
  'kits.one',
  'scan.isNumber',
  'kits.title',
  'products.gtin',
  'scannerTest.milliseconds',
  'roles.supervisor',
  'sheets.total',
  'audit.no',
  'audit.value',
]);

const sources = readdirSync('src', { recursive: true })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(join('src', file), 'utf8'))
  .join('\n');

function placeholders(elements) {
  return elements
    .flatMap((element) => [
      ...(element.type === TYPE.literal || element.type === TYPE.pound ? [] : [element.value]),
      ...Object.values(element.options ?? {}).flatMap((option) => placeholders(option.value)),
      ...placeholders(element.children ?? []),
    ])
    .filter((name, place, all) => all.indexOf(name) === place)
    .sort();
}

const faults = [];
for (const [language, messages, other] of [
  ['es', es, en],
  ['en', en, es],
]) {
  for (const file of [language, `later/${language}`]) {
    const keys = Object.keys(read(file));
    if (keys.join() !== [...keys].sort().join()) faults.push(`${file}.json is not in order of its keys`);
  }
  for (const key of Object.keys(messages)) {
    if (!(key in other)) faults.push(`${key} is in ${language}.json alone`);
    if (!messages[key].trim()) faults.push(`${key} is empty in ${language}.json`);
  }
}
for (const key of Object.keys(es)) {
  if (!(key in en)) continue;
  if (es[key] === en[key] && !sameInBoth.has(key)) faults.push(`${key} is not translated`);
  if (placeholders(parse(es[key])).join() !== placeholders(parse(en[key])).join())
    faults.push(`${key} has other placeholders in Spanish than in English`);
  if (![`'${key}'`, `"${key}"`].some((text) => sources.includes(text))) faults.push(`${key} is used nowhere`);
}

if (faults.length > 0) {
  console.error(`Messages:\n  ${faults.join('\n  ')}`);
  process.exit(1);
}
console.log(`${Object.keys(es).length} messages, complete in both languages`);
