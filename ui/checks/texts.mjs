// Find text nodes that have sibling elements. React keeps a reference to such a text node. Software that rewrites
// pages, such as a browser's translation, replaces the node; the next change of its siblings then throws
// `NotFoundError`, or React changes a text that is no longer visible
// (https://github.com/facebook/react/issues/11538). So a text must be alone in its element: `<p><span>{text}</span>
// <b>…</b></p>`. A browser test finds the expressions that are texts only by their type.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

const folder = new URL('../src', import.meta.url).pathname;
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'),
);

/** Names of variables that hold React nodes, not text. */
const NODES = new Set(
  'account actions button children choose dialog extra home icon more notice number primary refusal tabs'.split(
    ' ',
  ),
);

/** Guess from the syntax whether an expression is a text. */
function isText(node) {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' || typeof node.value === 'number';
    case 'TemplateLiteral':
      return true;
    case 'LogicalExpression':
      return isText(node.right) || (node.operator !== '&&' && isText(node.left));
    case 'ConditionalExpression':
      return isText(node.consequent) || isText(node.alternate);
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
      return isText(node.expression);
    case 'Identifier':
      return !NODES.has(node.name);
    case 'MemberExpression':
      return ['name', 'text', 'label', 'email', 'message', 'title', 'length'].includes(node.property.name);
    case 'CallExpression': {
      const { callee } = node;
      if (callee.type === 'MemberExpression')
        return callee.object.name === 'format' || ['join', 'toString', 'trim'].includes(callee.property.name);
      return ['t', 'fullName', 'shortName', 'nameOf', 'formatRelativeTime'].includes(callee.name);
    }
    default:
      return false;
  }
}

/**
 * Yield the texts that components return.
 *
 * They may have siblings where the component is used.
 */
function* returned(node, inside = false) {
  if (Array.isArray(node)) for (const one of node) yield* returned(one, inside);
  if (typeof node?.type !== 'string') return;
  const isFunction = /Function/.test(node.type);
  if (inside && isFunction) return;
  if (
    inside &&
    node.type === 'ReturnStatement' &&
    node.argument?.type !== 'Identifier' &&
    isText(node.argument)
  )
    yield node.argument;
  const name = node.id?.name ?? '';
  const made = node.type === 'VariableDeclarator' ? node.init : node;
  if (/^[A-Z]/.test(name) && /Function/.test(made?.type ?? '')) {
    if (made.body.type === 'BlockStatement') yield* returned(made.body.body, true);
    else if (isText(made.body)) yield made.body;
  } else
    for (const value of Object.values(node)) if (typeof value === 'object') yield* returned(value, inside);
}

const isBlank = (child) => child.type === 'JSXText' && !child.value.trim();
const isSpace = ({ type, expression }) =>
  type === 'JSXExpressionContainer' && expression.value?.trim?.() === '';
const isNothing = ({ type, expression }) =>
  type === 'JSXExpressionContainer' && expression.type === 'JSXEmptyExpression';

function* beside(node) {
  if (Array.isArray(node)) for (const one of node) yield* beside(one);
  if (typeof node?.type !== 'string') return;
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
    const children = node.children.filter((child) => !isBlank(child) && !isNothing(child));
    if (children.length > 1 || node.type === 'JSXFragment')
      for (const child of children)
        if (child.type === 'JSXText' || (!isSpace(child) && isText(child.expression))) yield child;
  }
  for (const value of Object.values(node)) if (typeof value === 'object') yield* beside(value);
}

const found = files.flatMap((file) => {
  const source = readFileSync(join(folder, file), 'utf8');
  const { program } = parseSync(file, source);
  return [...beside(program), ...returned(program)].map(({ start, end }) => {
    const line = source.slice(0, start).split('\n').length;
    return `src/${file}:${line}: ${source.slice(start, end).trim().split('\n')[0]}`;
  });
});
if (found.length > 0) {
  console.error(
    `These texts stand beside other nodes. Give each an element of its own, such as <span>:\n${found.join('\n')}`,
  );
  process.exit(1);
}
console.log(`${files.length} files, every text alone in its element`);
