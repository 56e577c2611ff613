import { SEARCHED } from './searched.js';

const field = document.querySelector('#search');
const results = document.querySelector('#results');
const { index: indexUrl, none } = results.dataset;
const MAX_RESULTS = 8;

let loading;

/** Load the index at the first search. */
function load() {
  loading ??= Promise.all([import('./minisearch.js'), fetch(indexUrl)])
    .then(async ([{ default: MiniSearch }, answer]) => MiniSearch.loadJSON(await answer.text(), SEARCHED))
    .catch((error) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

async function search() {
  const asked = field.value.trim();
  if (asked === '') return show([]);
  const index = await load();
  if (field.value.trim() !== asked) return;
  const found = index.search(asked).slice(0, MAX_RESULTS);
  show(found.map(({ url, title, heading }) => result(url, title, heading)));
  if (found.length === 0) {
    const item = document.createElement('li');
    item.textContent = none;
    show([item]);
  }
}

function result(url, title, heading) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = url;
  link.textContent = heading ? `${title} › ${heading}` : title;
  item.append(link);
  return item;
}

function show(items) {
  results.replaceChildren(...items);
  results.parentElement.hidden = items.length === 0;
}

field.addEventListener('focus', () => load().catch(() => {}), { once: true });
field.addEventListener('input', () => search().catch(() => show([])));
field.form.addEventListener('submit', (event) => {
  event.preventDefault();
  results.querySelector('a')?.click();
});
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || results.parentElement.hidden) return;
  show([]);
  field.focus();
});
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

// On a wide screen the contents are beside the page.
const contents = document.querySelector('.contents details');
if (contents) contents.open = matchMedia('(min-width: 64em)').matches;

/** Go to the page of a screen: its path is the fragment of the address, which no server receives. */
const list = document.querySelector('[data-screens]');
if (list) {
  const path = decodeURIComponent(location.hash.slice(1)).replace(/\/+$/, '') || '/';
  const matches = (route) =>
    new RegExp(`^${route.replaceAll(/:\w+/g, '\\d+').replaceAll('*', '.*')}$`).test(path);
  const link = [...list.querySelectorAll('a')].find(({ dataset }) => matches(dataset.route));
  if (link && location.hash) location.replace(link.href);
}
