/// <reference types="vitest/config" />
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { parse } from '@formatjs/icu-messageformat-parser';
import react from '@vitejs/plugin-react';
import { defineConfig, type Manifest, type Plugin } from 'vite';
import { mantineStyles, singleIcons } from './libraryFiles.ts';

/** Parse the message catalogues at build time, so that browsers need no parser. */
const parsedCatalogues: Plugin = {
  name: 'parsed-catalogues',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/src\/i18n\/(later\/)?[\w-]+\.json$/.test(id)) return null;
    const messages = Object.entries<string>(JSON.parse(code)).map(([key, text]) => [key, parse(text)]);
    return { code: JSON.stringify(Object.fromEntries(messages)), map: null };
  },
};

/** Write a Brotli and a gzip file beside each file that becomes smaller. The server sends them as they are. */
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

/** Pages that work offline, with what they load later. Other pages do not. */
const NEEDED_WITHOUT_NETWORK = [
  'src/app/HomePage.tsx',
  'src/recording/AreaSheetPage.tsx',
  'src/topics/sheets/SheetsPage.tsx',
];
/**
 * Loaded later and not stored: charts, pictures, labels to print, and questions that only the server can ask.
 */
const LEFT_TO_THE_NETWORK = [
  'src/topics/accounts/sign-in/PasskeyStep.tsx',
  'src/topics/reports/ConsumptionSection.tsx',
  'src/app/notices/NoticesBar.tsx',
  'src/topics/catalogue/ProductPicture.tsx',
  'src/recording/head/ClosingPreview.tsx',
  'src/recording/missed/MissedCharges.tsx',
  'src/session/hospitalAccount.ts',
  'src/topics/printing/PrintLabelsDialog.tsx',
  'src/topics/sheets/lines/MoveDialog.tsx',
  'src/topics/sheets/lines/ReturnDialog.tsx',
  'src/topics/sheets/lines/WasteDialog.tsx',
];

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
  const unknown = [
    ...NEEDED_WITHOUT_NETWORK.filter((key) => !seen.has(key)),
    ...LEFT_TO_THE_NETWORK.filter((key) => !manifest[key]),
  ];
  if (unknown.length > 0) throw new Error(`no page loads ${unknown.join(', ')}`);
  return [...files].sort();
}

/**
 * Write `/sw.js`, under a name that must not change, with its list of files; and `/sw-off.js`, which unregisters it.
 */
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

/**
 * Run the first script without waiting for the second one.
 *
 * The bundler only preloads it: it would run once both files are there.
 */
const scriptOfItsOwn: Plugin = {
  name: 'script-of-its-own',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(page) {
      const told =
        /(<script type="module"[^>]*><\/script>\s*)<link rel="modulepreload"([^>]*) href="([^"]*\/preload-[^"]*)">/;
      if (!told.test(page)) throw new Error('the page does not preload preload.ts');
      return page.replace(told, '<script type="module"$2 src="$3"></script>\n    $1');
    },
  },
};

/** The files that are there before any page loads another one. */
const ALWAYS_THERE = /\/(index|preload|application)-[\w-]+\.js$/;

const isWorker = (id: string) => id.includes('/src/sw/');

export default defineConfig(({ command }) => ({
  plugins: [
    singleIcons,
    mantineStyles,
    react(),
    parsedCatalogues,
    scriptOfItsOwn,
    serviceWorker,
    compressedFiles,
  ],
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
    modulePreload: {
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === 'html' ? needed : needed.filter((one) => one === file || !ALWAYS_THERE.test(`/${one}`)),
    },
    rolldownOptions: {
      output: {
        // Each file is a request, with headers of almost 1 kB, and a browser sends six at a time. A group includes
        // everything that its modules import. A module with top-level await would give each part of a group that is
        // loaded by name a file of its own, which only refers to the group's.
        codeSplitting: {
          groups: [
            // Starts loading the rest while the login's file arrives.
            { name: 'preload', test: /\/src\/preload\.ts$/, priority: 5 },
            { name: 'login', tags: ['$initial'], test: (id) => !isWorker(id), priority: 3 },
            // The frame of all pages, and the page for recording.
            { name: 'application', test: /\/app\/Application\.tsx$/, priority: 2 },
            // Loaded at the first touch or key (shared/ui/useFirstInteraction.ts), and with the page for recording:
            // what one line may need must be there when the network fails.
            {
              name: 'touched',
              test: /\/(MenuDrawer|ConfirmDialog|Toasts|SignOutDialog|AccountMenu|UnsentDrawer|OverflowMenu|ParkedPeople|UnlockPanel|OpenRows|VoidDialog)\.tsx$|\/unlocking\.ts$/,
              priority: 1,
            },
            // Loaded by every page, once it is at rest: what the device keeps.
            {
              name: 'later',
              test: /\/(device\/(catalogue|sheets|offlineApi)|outbox\/reporting|offline\/serviceWorker|sync\/deviceCopies|catalogue\/Drawing)\.tsx?$/,
              priority: 1,
            },
            // Out of some sixty pages. A lower count would load modules on pages that do not need them.
            { name: 'shared', minShareCount: 10 },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': 'http://127.0.0.1:8000' } },
  preview: { proxy: { '/api': 'http://127.0.0.1:8000' } },
  test: {
    environment: './src/test/environment.ts',
    // No test depends on layout, so computed styles keep their lengths as written.
    environmentOptions: { happyDOM: { settings: { disableComputedStyleRendering: true } } },
    globalSetup: './src/test/zone.ts',
    setupFiles: './src/test/setup.ts',
    // One page and one set of modules for all files of a worker: setup.ts resets everything.
    isolate: false,
    pool: 'threads',
    restoreMocks: true,
    testTimeout: 300_000,
    // By default one core would be left for watch mode, which is half of a small machine.
    maxWorkers: '100%',
  },
}));
