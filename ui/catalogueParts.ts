import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import type { Plugin } from 'vite';

const SRC = resolve(import.meta.dirname, 'src');
const APPLICATION = join(SRC, 'app/Application.tsx');
const ROUTER = join(SRC, 'app/router.tsx');

/**
 * `./es.json?login` and the like: the messages of that part of a catalogue, parsed, so that the browser need not load
 * the parser. The login's are those that main.tsx and what it imports name; those of work, the shell and the details
 * page name besides; the rest is everything else.
 */
export function catalogueParts(): Plugin {
  let whole = true;
  let login = '';
  let work = '';
  return {
    name: 'catalogue-parts',
    enforce: 'pre',
    configResolved({ command }) {
      whole = command === 'serve'; // while one works on the sources, who says what changes all the time
    },
    buildStart() {
      login = sourcesFrom(join(SRC, 'main.tsx'));
      work = sourcesFrom(APPLICATION, join(SRC, 'features/details/SheetDetailsPage.tsx'));
    },
    transform(code, id) {
      const part = /\/i18n\/e[sn]\.json\?(?:import&)?(\w+)$/.exec(id)?.[1];
      if (!part) return null;
      if (whole) return { code: `export default ${code}`, map: null };
      const partOf = (key: string) => {
        if (login.includes(`'${key}'`)) return 'login';
        return work.includes(`'${key}'`) ? 'work' : 'rest';
      };
      const messages = Object.entries(JSON.parse(code) as Record<string, string>)
        .filter(([key]) => partOf(key) === part)
        .map(([key, text]) => [key, /[{<'#]/.test(text) ? parse(text) : [{ type: 0, value: text }]]);
      const object = JSON.stringify(Object.fromEntries(messages));
      return { code: `export default ${object}`, moduleType: 'js', map: null };
    },
  };
}

/** These files and all that they load, now or later, but for the application behind the login and the router's pages. */
function sourcesFrom(...files: string[]): string {
  const found = new Map<string, string>();
  function read(file: string) {
    if (found.has(file)) return;
    const source = readFileSync(file, 'utf8').replace(/^import type [^;]*;/gm, '');
    found.set(file, source);
    const loaded = file === ROUTER ? /from '([@.]\/[^']+)'/g : /(?:from |import |import\()'([@.]\/[^']+)'/g;
    for (const [, name = ''] of source.matchAll(loaded)) {
      const path = resolve(dirname(file), name.replace(/^@/, SRC));
      const next = [`${path}.ts`, `${path}.tsx`].find(existsSync);
      if (next && next !== APPLICATION) read(next);
    }
  }
  for (const file of files) read(file);
  return [...found.values()].join('\n');
}
