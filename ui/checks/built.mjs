// What was built: every Mantine component comes with its style, and what people wait for first is light.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** In bytes of gzip, JavaScript and CSS together. */
const LOGIN_BUDGET = 170_000;
const DETAILS_BUDGET = 255_000;

const read = (file) => readFileSync(`dist/${file}`, 'utf8');
const manifest = JSON.parse(read('.vite/manifest.json'));
const page = [...read('index.html').matchAll(/"\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file);

/** The files that are loaded with these chunks, what the page itself asks for included. */
function filesFor(...keys) {
  const files = new Set(page);
  const seen = new Set();
  function need(key) {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key];
    files.add(chunk.file);
    for (const css of chunk.css ?? []) files.add(css);
    for (const next of chunk.imports ?? []) need(next);
  }
  keys.forEach(need);
  return [...files];
}

const faults = [];

const classesIn = (text) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));
// Some components name classes for which Mantine itself has no rule.
const stylable = classesIn(
  ['charts', 'core', 'dates', 'notifications']
    .map((name) => readFileSync(`node_modules/@mantine/${name}/styles.css`, 'utf8'))
    .join('\n'),
);
const built = readdirSync('dist/assets').map((name) => `assets/${name}`);
const styled = classesIn(
  built
    .filter((file) => file.endsWith('.css'))
    .map(read)
    .join('\n'),
);
for (const file of built.filter((name) => name.endsWith('.js'))) {
  const bare = [...classesIn(read(file))].filter((name) => stylable.has(name) && !styled.has(name));
  if (bare.length > 0)
    faults.push(`${file} uses Mantine components whose styles nobody imports: ${bare.join(' ')}`);
}

function weigh(what, budget, ...keys) {
  const files = filesFor(...keys);
  const weight = files.reduce((sum, file) => sum + gzipSync(read(file)).length, 0);
  console.log(`${what}: ${weight} bytes (gzip) in ${files.length} files, of ${budget}`);
  if (weight > budget) faults.push(`${what} takes ${weight - budget} bytes too many`);
}
weigh('The login', LOGIN_BUDGET, 'src/i18n/es.json');
weigh(
  'The details page',
  DETAILS_BUDGET,
  Object.keys(manifest).find((key) => manifest[key].name === 'work'),
  'src/i18n/es.json',
  'src/features/details/SheetDetailsPage.tsx',
);

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}
