// Check the message catalogues: each language has the messages of the default one with the same placeholders, every
// message is used, and none is left untranslated. With --sort, sort the catalogues by key.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

const read = (file) => JSON.parse(readFileSync(`src/i18n/${file}.json`, 'utf8'));
const DEFAULT = 'es';
const languages = readdirSync('src/i18n')
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -5));
const catalogue = (language) => ({ ...read(language), ...read(`later/${language}`) });

if (process.argv.includes('--sort')) {
  for (const file of languages.flatMap((language) => [language, `later/${language}`])) {
    const sorted = Object.fromEntries(Object.entries(read(file)).sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(`src/i18n/${file}.json`, `${JSON.stringify(sorted, null, 2)}\n`);
  }
}

const known = catalogue(DEFAULT);

/** Messages that are legitimately identical in several languages. */
const sameInSeveral = new Set([
  'hospital.title',
  'language.direction',
  'kits.one',
  'scan.isNumber',
  'kits.title',
  'products.gtin',
  'scannerTest.milliseconds',
  'roles.supervisor',
  'sheets.total',
  'audit.no',
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
for (const language of languages) {
  const messages = catalogue(language);
  for (const file of [language, `later/${language}`]) {
    const keys = Object.keys(read(file));
    if (keys.join() !== [...keys].sort().join()) faults.push(`${file}.json is not in order of its keys`);
  }
  for (const key of Object.keys(messages)) {
    if (!(key in known)) faults.push(`${key} is in ${language}.json alone`);
    if (!messages[key].trim()) faults.push(`${key} is empty in ${language}.json`);
  }
  if (language === DEFAULT) continue;
  for (const key of Object.keys(known)) {
    if (!(key in messages)) {
      faults.push(`${key} is missing in ${language}.json`);
      continue;
    }
    if (messages[key] === known[key] && !sameInSeveral.has(key))
      faults.push(`${key} is not translated in ${language}.json`);
    if (placeholders(parse(messages[key])).join() !== placeholders(parse(known[key])).join())
      faults.push(`${key} has other placeholders in ${language}.json than in ${DEFAULT}.json`);
  }
}
for (const key of Object.keys(known)) {
  if (![`'${key}'`, `"${key}"`].some((text) => sources.includes(text))) faults.push(`${key} is used nowhere`);
}

if (faults.length > 0) {
  console.error(`Messages:\n  ${faults.join('\n  ')}`);
  process.exit(1);
}
console.log(`${Object.keys(known).length} messages, complete in ${languages.join(', ')}`);
