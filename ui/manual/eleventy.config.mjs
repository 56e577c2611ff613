/*
 * Build the manual: docs/manual becomes pages of the client, in Spanish at /ayuda and in English at /help.
 *
 * A page has the same file name in both languages. manual.json lists the books with their pages in order, and for each
 * screen of the client its page. Nothing of it needs the network, an inline script or text as markup.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import MiniSearch from 'minisearch';
import { foldWord, SEARCHED } from './assets/searched.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '../..');
const MANUAL = join(ROOT, 'docs/manual');
const DIST = join(ROOT, 'ui/dist');
const FOLDERS = { es: 'ayuda', en: 'help' };

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const { books, screens } = json(join(MANUAL, 'manual.json'));
const texts = json(join(HERE, 'texts.json'));

const digest = (...contents) =>
  contents
    .reduce((hash, one) => hash.update(one), createHash('sha256'))
    .digest('hex')
    .slice(0, 10);

/** Copy the style and the scripts into a folder that is named after their content, and return its address. */
function copyAssets(font) {
  const contents = new Map(
    readdirSync(join(HERE, 'assets')).map((name) => [name, readFileSync(join(HERE, 'assets', name), 'utf8')]),
  );
  contents.set('manual.css', contents.get('manual.css').replace('FONT', font));
  contents.set(
    'minisearch.js',
    readFileSync(join(ROOT, 'ui/node_modules/minisearch/dist/es/index.js'), 'utf8'),
  );
  const folder = `/assets/manual-${digest(...contents.values())}`;
  mkdirSync(DIST + folder, { recursive: true });
  for (const [name, content] of contents) writeFileSync(join(DIST + folder, name), content);
  return folder;
}

/** Copy a picture under a name with its digest, and return its address and its size in CSS pixels. */
function copyPicture(file) {
  const content = readFileSync(file);
  const url = `/assets/manual-${basename(dirname(file))}-${basename(file, '.webp')}-${digest(content)}.webp`;
  writeFileSync(DIST + url, content);
  return { url, ...sizeOf(content) };
}

/** Read the size of a WebP picture, which has two pixels for each CSS pixel. */
function sizeOf(webp) {
  const kind = webp.toString('latin1', 12, 16);
  const half = (pixels) => Math.round(pixels / 2);
  if (kind === 'VP8 ')
    return { width: half(webp.readUInt16LE(26) & 0x3fff), height: half(webp.readUInt16LE(28) & 0x3fff) };
  if (kind === 'VP8X')
    return { width: half(webp.readUIntLE(24, 3) + 1), height: half(webp.readUIntLE(27, 3) + 1) };
  const bits = webp.readUInt32LE(21);
  return { width: half((bits & 0x3fff) + 1), height: half(((bits >> 14) & 0x3fff) + 1) };
}

/** Find what docs/manual/es/ward/type.md is called and where it goes. */
function describe(stem, slug) {
  const [, language, key, name] = /\/(es|en)\/([\w-]+)\/([\w-]+)$/.exec(stem) ?? [];
  const book = books.find((one) => one.key === key);
  if (!book) return null;
  const folder = `/${FOLDERS[language]}/${book[language].slug}`;
  return { language, book: key, name, folder, url: name === 'start' ? folder : `${folder}/${slug}` };
}

export default function configure(eleventy) {
  // The client's own font.
  const font = `/assets/${readdirSync(join(DIST, 'assets')).find((name) => /\.woff2$/.test(name))}`;
  const assets = copyAssets(font);
  const files = new Map();
  const fileOf = (path) => files.get(path) ?? files.set(path, copyPicture(path)).get(path);

  eleventy.setUseGitIgnore(false);

  eleventy.amendLibrary('md', (markdown) => {
    const {
      image,
      link_open: linkOpen = (tokens, at, options, _, self) => self.renderToken(tokens, at, options),
    } = markdown.renderer.rules;
    markdown.renderer.rules.image = (tokens, at, options, env, self) => {
      const token = tokens[at];
      const { url, width, height } = fileOf(resolve(ROOT, dirname(env.page.inputPath), token.attrGet('src')));
      token.attrs = [
        ['src', url],
        ['alt', ''],
        ['width', width],
        ['height', height],
        ['loading', 'lazy'],
      ];
      return image(tokens, at, options, env, self);
    };
    markdown.renderer.rules.link_open = (tokens, at, options, env, self) => {
      const href = tokens[at].attrGet('href');
      const [, path, section = ''] = /^([^:#]+\.md)(#.*)?$/.exec(href) ?? [];
      if (path) tokens[at].attrSet('href', urlOf(resolve(ROOT, dirname(env.page.inputPath), path)) + section);
      return linkOpen(tokens, at, options, env, self);
    };
  });

  /** Return the address of a Markdown file of the manual. */
  function urlOf(file) {
    const [, slug = ''] = /^slug: (.*)$/m.exec(readFileSync(file, 'utf8')) ?? [];
    return describe(file.replace(/\.md$/, ''), slug).url;
  }

  const LANGUAGES = Object.entries(FOLDERS).map(([language, folder]) => ({
    language,
    folder: `/${folder}`,
    texts: texts[language],
    books: books.map((book) => ({
      key: book.key,
      title: book[language].title,
      url: `/${folder}/${book[language].slug}`,
      pdf: `/${folder}/${book[language].slug}.pdf`,
      hasPdf: existsSync(join(DIST, folder, `${book[language].slug}.pdf`)),
    })),
  }));
  const byLanguage = Object.fromEntries(LANGUAGES.map((one) => [one.language, one]));

  eleventy.addGlobalData('layout', 'page.njk');
  eleventy.addGlobalData('assets', assets);
  eleventy.addGlobalData('font', font);
  eleventy.addGlobalData('languages', LANGUAGES);
  const allBooks = LANGUAGES.flatMap(({ language, books: own }) =>
    own.map((book) => ({ language, ...book })),
  );
  eleventy.addGlobalData('allBooks', allBooks);
  eleventy.addGlobalData('eleventyComputed', {
    place: (data) => describe(data.page.filePathStem, data.slug),
    permalink: (data) => {
      const place = describe(data.page.filePathStem, data.slug);
      if (!place) return data.permalink;
      return place.name === 'start' ? `${place.folder}/index.html` : `${place.url}.html`;
    },
    site: (data) => byLanguage[data.place?.language ?? data.one?.language],
  });

  eleventy.addCollection('inOrder', (api) => {
    const pages = api.getAll().filter(({ data }) => data.place);
    const order = ({ data: { place } }) => {
      const at = books.findIndex(({ key }) => key === place.book);
      return at * 100 + books[at].pages.indexOf(place.name);
    };
    return pages.sort((left, right) => order(left) - order(right));
  });
  eleventy.addFilter('ofBook', (pages, { language, book, key }) =>
    pages.filter(({ data: { place } }) => place.language === language && place.book === (book ?? key)),
  );
  eleventy.addFilter('ofLanguage', (pages, language) =>
    pages.filter(({ data }) => data.place.language === language),
  );
  eleventy.addFilter('beside', (pages, place, step) => {
    const at = pages.findIndex(({ data }) => data.place.name === place.name);
    return at === -1 ? undefined : pages[at + step];
  });
  eleventy.addFilter('sameIn', (pages, place, language) =>
    pages.find(
      ({ data }) =>
        data.place.language === language && data.place.book === place.book && data.place.name === place.name,
    ),
  );
  eleventy.addFilter('find', (list, name, value) => list.find((one) => one[name] === value));
  // On one page the title of the book comes first. Links lead to its sections; those to other books are left out, because
  // the page is also printed.
  eleventy.addFilter('onOnePage', (html, name, pages) => {
    const names = new Map(pages.map(({ data }) => [data.place.url, data.place.name]));
    return html
      .replaceAll(/(<\/?h)([2-5])/g, (_, tag, level) => tag + (Number(level) + 1))
      .replaceAll(/ id="([^"]+)"/g, ` id="${name}-$1"`)
      .replaceAll(/<a href="([^"#]+)(?:#([^"]+))?">(.*?)<\/a>/gs, (_, url, section, text) => {
        if (!names.has(url)) return text;
        return `<a href="#${names.get(url)}${section ? `-${section}` : ''}">${text}</a>`;
      })
      .replaceAll(' loading="lazy"', '');
  });
  const specificFirst = Object.entries(screens).sort(
    ([one], [other]) => one.includes('*') - other.includes('*'),
  );
  eleventy.addFilter('screensOf', (pages, language) =>
    specificFirst.map(([route, target]) => {
      const [path, section] = target.split('#');
      const found = pages.find(
        ({ data: { place } }) => place.language === language && `${place.book}/${place.name}` === path,
      );
      if (!found) throw new Error(`${route}: there is no page ${path} in ${language}`);
      return { route, title: found.data.title, url: found.data.place.url + (section ? `#${section}` : '') };
    }),
  );
  eleventy.addFilter('searchIndex', (pages) => {
    const index = new MiniSearch(SEARCHED);
    for (const { data, templateContent } of pages)
      for (const [at, part] of templateContent.split(/(?=<h2)/).entries()) {
        const [, id] = /<h2 id="([^"]+)"/.exec(part) ?? [];
        const [, heading = ''] = /<h2[^>]*>(.*?)<\/h2>/s.exec(part) ?? [];
        const url = data.place.url + (id ? `#${id}` : '');
        index.add({
          id: `${data.place.url} ${at}`,
          url,
          title: data.title,
          heading: plain(heading),
          text: plain(part),
        });
      }
    return JSON.stringify(index);
  });
  // Headings have ids, by which screens and search results lead to them.
  eleventy.amendLibrary('md', (markdown) => {
    markdown.core.ruler.push('heading_ids', ({ tokens }) => {
      for (const [at, { type, tag }] of tokens.entries()) {
        if (type !== 'heading_open' || tag !== 'h2') continue;
        tokens[at].attrSet('id', foldWord(tokens[at + 1].content).replaceAll(/[^a-z0-9]+/g, '-'));
      }
    });
  });

  eleventy.on('eleventy.after', ({ results }) => {
    const written = results.map(({ outputPath }) => resolve(outputPath));
    for (const { language, folder } of LANGUAGES) written.push(writeKept(language, folder, results));
    const scripts = readdirSync(DIST + assets).map((name) => join(DIST + assets, name));
    for (const file of [...written, ...scripts].filter((name) => /\.(css|html|js|json)$/.test(name))) {
      const content = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(content));
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    }
  });

  for (const name of ['home', 'opening', 'missing', 'offline', 'search', 'onePage'])
    eleventy.addTemplate(`${name}.njk`, readFileSync(join(HERE, 'pages', `${name}.njk`), 'utf8'));

  return {
    dir: { input: 'docs/manual', output: 'ui/dist', includes: '../../ui/manual/layouts' },
    markdownTemplateEngine: false,
    templateFormats: ['md', 'njk'],
  };
}

/** Write the list of the files that a device keeps: the book for wards, with what its pages show. */
function writeKept(language, folder, results) {
  const isKept = new RegExp(
    `^${folder}(/(screen|offline|search\\.json|${books[0][language].slug}(/(?!1$).*)?))?$`,
  );
  const kept = results
    .map(({ outputPath, content }) => ({
      url: `/${outputPath}`.replace(/^.*\/ui\/dist/, '').replace(/(\/index)?\.html$/, ''),
      content,
    }))
    .filter(({ url }) => isKept.test(url));
  const shown = kept.flatMap(({ content }) =>
    [...content.matchAll(/ (?:src|href)="(\/(?:assets|icons)\/[^"]+)"/g)].map(([, url]) => url),
  );
  const scripts = ['searched.js', 'minisearch.js'].map(
    (name) => `${dirname(shown.find((url) => url.endsWith('/manual.js')))}/${name}`,
  );
  const files = [...new Set([...kept.map(({ url }) => url), ...shown, ...scripts])].sort();
  const file = join(DIST, folder, 'kept.json');
  writeFileSync(file, JSON.stringify({ version: digest(...kept.map(({ content }) => content)), files }));
  return file;
}

const plain = (html) =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
