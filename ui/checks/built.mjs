// What was built: every Mantine component brings its style, and the login is light enough to load.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LOGIN_BUDGET = 225_000;

const assets = readdirSync('dist/assets');
const read = (file) => readFileSync(`dist/assets/${file}`, 'utf8');
const classesIn = (text) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));

const styled = classesIn(
  assets
    .filter((file) => file.endsWith('.css'))
    .map(read)
    .join('\n'),
);
// Some components name classes for which Mantine itself has no rule.
const stylable = classesIn(
  ['core', 'dates', 'notifications']
    .map((name) => readFileSync(`node_modules/@mantine/${name}/styles.css`, 'utf8'))
    .join('\n'),
);
const faults = [];
for (const file of assets.filter((name) => name.endsWith('.js'))) {
  const bare = [...classesIn(read(file))].filter((name) => stylable.has(name) && !styled.has(name));
  if (bare.length > 0)
    faults.push(`${file} uses Mantine components whose styles nobody imports: ${bare.join(' ')}`);
}

const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'));
const needed = new Set();
function need(key) {
  const chunk = manifest[key];
  if (needed.has(chunk.file)) return;
  needed.add(chunk.file);
  for (const css of chunk.css ?? []) needed.add(css);
  for (const next of chunk.imports ?? []) need(next);
}
need('index.html');
need('src/i18n/es.json');
const weight = [...needed].reduce((sum, file) => sum + gzipSync(readFileSync(`dist/${file}`)).length, 0);
if (weight > LOGIN_BUDGET) faults.push(`The login takes ${weight} bytes (gzip), more than ${LOGIN_BUDGET}`);

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}
console.log(`The login takes ${Math.round(weight / 1000)} kB (gzip) in ${needed.size} files`);
