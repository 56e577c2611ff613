/// <reference types="vitest/config" />
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { parse } from '@formatjs/icu-messageformat-parser';
import react from '@vitejs/plugin-react';
import { defineConfig, type Manifest, type Plugin } from 'vite';

/** A catalogue is built with its messages parsed, so that no browser need load the parser. */
const parsedCatalogues: Plugin = {
  name: 'parsed-catalogues',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/i18n\/e[sn]\.json$/.test(id)) return null;
    const messages = Object.entries<string>(JSON.parse(code)).map(([key, text]) => [key, parse(text)]);
    return { code: JSON.stringify(Object.fromEntries(messages)), map: null };
  },
};

/** Beside each file that it makes smaller its brotli and its gzip, which the server sends as they are. */
const compressedFiles: Plugin = {
  name: 'compressed-files',
  apply: 'build',
  closeBundle() {
    const folder = this.environment.config.build.outDir;
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((one) => /\.(css|html|js|svg|wasm)$/.test(one))) {
      const file = join(folder, name);
      const content = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(content));
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    }
  },
};

/** The pages on which one goes on without network; what they load later comes along, other pages do not. */
const NEEDED_WITHOUT_NETWORK = [
  'src/app/HomePage.tsx',
  'src/app/NotFoundPage.tsx',
  'src/features/sheets/SheetsPage.tsx',
];
/** Loaded later, and left to the network: charts, and the reader of cameras, which weighs as much as all the rest. */
const LEFT_TO_THE_NETWORK = ['src/features/reports/ConsumptionSection.tsx', 'src/scan/zxing.ts'];

function filesWithoutNetwork(page: string, manifest: Manifest) {
  const files = new Set([
    '/',
    ...[...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => file as string),
  ]);
  const isNeeded = (key: string) =>
    NEEDED_WITHOUT_NETWORK.includes(key) || !(key.endsWith('Page.tsx') || LEFT_TO_THE_NETWORK.includes(key));
  const seen = new Set<string>();
  function take(key: string) {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.add(key);
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(`/${file}`);
    for (const next of chunk.imports ?? []) take(next);
    for (const next of chunk.dynamicImports ?? []) if (isNeeded(next)) take(next);
  }
  for (const [key, { file }] of Object.entries(manifest)) if (files.has(`/${file}`)) take(key);
  const unknown = NEEDED_WITHOUT_NETWORK.filter((key) => !seen.has(key));
  if (unknown.length > 0) throw new Error(`no page loads ${unknown.join(', ')}`);
  return [...files].sort();
}

/** `/sw.js` under the name that it must keep, told which files it keeps; and the one that takes its leave. */
const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  buildStart() {
    for (const name of ['sw', 'sw-off'])
      this.emitFile({ type: 'chunk', id: `src/sw/${name}.ts`, fileName: `${name}.js` });
  },
  writeBundle({ dir = '' }) {
    const read = (name: string) => readFileSync(join(dir, name), 'utf8');
    const page = read('index.html');
    const files = filesWithoutNetwork(page, JSON.parse(read('.vite/manifest.json')));
    const version = createHash('sha256').update(page).update(files.join()).digest('hex').slice(0, 16);
    const told = `const VERSION=${JSON.stringify(version)},FILES=${JSON.stringify(files)};`;
    writeFileSync(join(dir, 'sw.js'), `${told}\n${read('sw.js')}`);
  },
};

const isWorker = (id: string) => id.includes('/src/sw/');

export default defineConfig(({ command }) => ({
  plugins: [react(), parsedCatalogues, serviceWorker, compressedFiles],
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)),
      ...(command === 'build' && {
        '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js',
      }),
    },
  },
  build: {
    assetsInlineLimit: 0,
    manifest: true,
    rolldownOptions: {
      output: {
        // Each file is a request, with headers of almost a kilobyte; a browser has six on their way at once. What a group
        // names comes with all that it imports.
        codeSplitting: {
          groups: [
            // What has the rest come along while the login's file is on its way.
            { name: 'preload', test: /\/src\/preload\.ts$/, priority: 5 },
            { name: 'login', tags: ['$initial'], test: (id) => !isWorker(id), priority: 3 },
            // The frame of all pages, and the page on which one records.
            { name: 'application', test: /\/app\/Application\.tsx$/, priority: 2 },
            // What is loaded at the first touch or key (components/useFirstInteraction.ts).
            {
              name: 'touched',
              test: /\/(MenuDrawer|ConfirmDialog|Toasts|SignOutDialog|AccountMenu|UnsentDrawer|MoreMenu|RecordBarPanel)\.tsx$/,
              priority: 1,
            },
            // Of some sixty pages: what fewer have would be loaded by those that have it not.
            { name: 'shared', minShareCount: 10 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8000' } },
  preview: { proxy: { '/api': 'http://127.0.0.1:8000' } },
  test: {
    environment: './src/test/environment.ts',
    // No test measures anything: lengths stay as they are written.
    environmentOptions: { happyDOM: { settings: { disableComputedStyleRendering: true } } },
    setupFiles: './src/test/setup.ts',
    // One page, and the modules loaded once, for all the files that a worker takes: setup.ts leaves nothing behind.
    isolate: false,
    pool: 'threads',
    restoreMocks: true,
    testTimeout: 60_000,
    // As with the tests in a browser: whatever passes only then is told of.
    retry: 1,
    // Otherwise one core is left to whoever watches, which is half of a small machine.
    maxWorkers: '100%',
  },
}));
