// Check the build: every Mantine component has its styles, and the first pages stay within their size budgets.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';

/** Budgets in compressed bytes for a browser with an empty cache, with font, texts and headers. */
const LOGIN_BUDGET = { bytes: 178_000, requests: 7 };
const DETAILS_BUDGET = { bytes: 314_300, requests: 14 };
/** Budgets of all that these pages load until they are at rest, after the first key. */
const LOGIN_AT_REST_BUDGET = { bytes: 316_000, requests: 12 };
const DETAILS_AT_REST_BUDGET = { bytes: 376_000, requests: 30 };
/**
 * Budget of the files that the service worker keeps, a third of which is the reader of symbols. A tablet loads all of
 * them again with each version, except those that are the same.
 */
const WITHOUT_NETWORK_BUDGET = { bytes: 908_600, requests: 83 };
/** Budget of the manual's book for wards on a device, in bytes as stored. */
const BOOK_BUDGET = 1_640_000;
/** Estimated size of the headers of one response, in bytes. */
const HEADERS = 800;
/** API responses that the details page waits for, with their headers. */
const ANSWERS = { bytes: 8_000, requests: 5 };
/** All API responses until the details page is at rest, and the drawings of its products, with their headers. */
const ANSWERS_AT_REST = { bytes: 18_000, requests: 14 };
const SETTINGS = { bytes: 1_000, requests: 1 };
const NONE = { bytes: 0, requests: 0 };

const read = (file) => readFileSync(`dist/${file}`, 'utf8');
const manifest = JSON.parse(read('.vite/manifest.json'));
const page = [...read('index.html').matchAll(/"\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file);
const font = readdirSync('dist/assets').find((name) => /\.woff2$/.test(name));

/** Return the key of a group of vite.config.ts. */
const groupOf = (name) =>
  Object.keys(manifest).find((key) => manifest[key].name === name && manifest[key].file.endsWith('.js'));

/** List the files that these chunks and the page itself load. */
function filesFor(...keys) {
  const files = new Set(['index.html', `assets/${font}`, ...page]);
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
const stylesOf = (...names) =>
  names.map((name) => readFileSync(`node_modules/@mantine/${name}.css`, 'utf8')).join('\n');
// Some components use class names for which Mantine itself has no rule.
const stylable = classesIn(stylesOf('charts/styles', 'core/styles', 'dates/styles', 'notifications/styles'));
// Parts that come with Checkbox, and that no page shows.
for (const part of classesIn(stylesOf('core/styles/CheckboxCard', 'core/styles/CheckboxIndicator')))
  stylable.delete(part);
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
    faults.push(`${file} uses Mantine components that libraryFiles.ts gives no styles: ${bare.join(' ')}`);
}

/** Return the size on the wire: of the Brotli file if the build wrote one. */
const sizeOf = (file) => statSync(existsSync(`dist/${file}.br`) ? `dist/${file}.br` : `dist/${file}`).size;

function weigh(what, budget, asked, files) {
  const bytes = files.reduce((sum, file) => sum + sizeOf(file) + HEADERS, asked.bytes);
  const requests = files.length + asked.requests;
  console.log(
    `${what}: ${bytes} bytes on the wire of ${budget.bytes}, in ${requests} requests of ${budget.requests}`,
  );
  if (bytes > budget.bytes) faults.push(`${what} takes ${bytes - budget.bytes} bytes too many`);
  if (requests > budget.requests)
    faults.push(`${what} takes ${requests - budget.requests} requests too many`);
}
weigh('The login', LOGIN_BUDGET, NONE, filesFor('src/i18n/es.json'));
weigh('The details page', DETAILS_BUDGET, ANSWERS, filesFor('src/i18n/es.json', groupOf('application')));
weigh(
  'The login at rest',
  LOGIN_AT_REST_BUDGET,
  SETTINGS,
  filesFor('src/i18n/es.json', ...['application', 'later'].map(groupOf)),
);
weigh(
  'The details page at rest',
  DETAILS_AT_REST_BUDGET,
  ANSWERS_AT_REST,
  filesFor('src/i18n/es.json', ...['application', 'later', 'touched'].map(groupOf)),
);
const [, kept] = /FILES=(\[.*?\]);/.exec(read('sw.js'));
weigh(
  'What is kept without network',
  WITHOUT_NETWORK_BUDGET,
  NONE,
  JSON.parse(kept).map((path) => path.slice(1) || 'index.html'),
);
for (const folder of ['ayuda', 'help']) {
  const { files } = JSON.parse(read(`${folder}/kept.json`));
  const isFile = (path) => existsSync(`dist${path}`) && statSync(`dist${path}`).isFile();
  const stored = files.map((path) => [path, `${path}.html`, `${path}/index.html`].find(isFile));
  const bytes = stored.reduce((sum, path) => sum + statSync(`dist${path}`).size, 0);
  console.log(
    `The book for wards in /${folder}: ${bytes} bytes stored of ${BOOK_BUDGET}, in ${files.length} files`,
  );
  if (bytes > BOOK_BUDGET) faults.push(`The book in /${folder} takes ${bytes - BOOK_BUDGET} bytes too many`);
}

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}
