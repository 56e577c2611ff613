// Check where folders of src stand: a folder imports only those of lower floors, no folders import in a circle, and none
// has more than 30 files. Tests and src/test may import everything.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** The floors from the ground up. What stands on one floor does not import its neighbours. */
const FLOORS = [
  'state sw',
  'api', // app/store.ts passes what it uses of the session and the device
  'i18n',
  'symbols',
  'device',
  'session', // no screens up to here
  'shared',
  'outbox',
  'scan',
  'topics/printing',
  'topics/people',
  'topics/catalogue',
  'topics/accounts',
  'topics/sheets',
  'topics/forms topics/ward topics/history topics/imports topics/reports topics/restock',
  'topics/messages topics/hospital topics/status topics/scanning',
  'recording',
  'app',
].map((floor) => floor.split(' '));

const MAX_FILES = 30;

const src = new URL('../src', import.meta.url).pathname;
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.(tsx?|css)$/.test(file) && file.includes('/') && !/\.test\.|^test\//.test(file),
);
const faults = [];

/** Return the address in src that a file imports; undefined if it is a package. */
function addressOf(file, named) {
  if (named.startsWith('@/')) return named.slice(2);
  return named.startsWith('.') ? normalize(join(dirname(file), named)) : undefined;
}

const importsOf = (file) =>
  [...readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import)[ (]?'([^']+)'/g)].flatMap(
    ([, named]) => addressOf(file, named) ?? [],
  );

const isIn = (address, folder) => address.startsWith(`${folder}/`);
const floorOf = (address) => FLOORS.findIndex((floor) => floor.some((folder) => isIn(address, folder)));
const folderOf = (address) => FLOORS.flat().find((folder) => isIn(address, folder));

/** What each folder imports of the other folders inside the same one of the list, by one of its files. */
const arrows = new Map();
for (const file of files) {
  if (floorOf(file) < 0) faults.push(`src/${dirname(file)} has no floor: add it to checks/floors.mjs`);
  for (const address of importsOf(file)) {
    const isLower = floorOf(address) >= 0 && floorOf(address) < floorOf(file);
    const isInside = folderOf(address) === folderOf(file);
    if (!isLower && !isInside) faults.push(`src/${file} imports ${address}, which stands on no lower floor`);
    if (!isInside || dirname(address) === dirname(file)) continue;
    if (!arrows.has(dirname(file))) arrows.set(dirname(file), new Map());
    arrows.get(dirname(file)).set(dirname(address), file);
  }
}

/** Find folders that import in a circle. The floors exclude the others. */
function findCircles(folder, path = [], done = new Set()) {
  const begin = path.indexOf(folder);
  if (begin >= 0) {
    const circle = path.slice(begin).map((one, at, all) => arrows.get(one).get(all[at + 1] ?? folder));
    faults.push(`folders import in a circle, by ${circle.map((file) => `src/${file}`).join(', ')}`);
  } else if (!done.has(folder)) {
    for (const next of arrows.get(folder)?.keys() ?? []) findCircles(next, [...path, folder], done);
    done.add(folder);
  }
  return done;
}
[...arrows.keys()].reduce((done, folder) => findCircles(folder, [], done), new Set());

for (const folder of new Set(files.map(dirname))) {
  const count = files.filter((file) => dirname(file) === folder).length;
  if (count > MAX_FILES) faults.push(`src/${folder} has ${count} files, more than ${MAX_FILES}`);
}
for (const folder of FLOORS.flat())
  if (!files.some((file) => isIn(file, folder)))
    faults.push(`src/${folder} does not exist: checks/floors.mjs`);

for (const fault of new Set(faults)) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
