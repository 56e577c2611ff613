import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import { expect, it } from 'vitest';
import { schemeVariables, theme } from './theme';

const merged = mergeMantineTheme(DEFAULT_THEME, theme);
const [base, own] = [defaultCssVariablesResolver(merged), schemeVariables(merged)];

/** Return the red, green, blue and alpha of a colour or variable. */
function channels(color: string, variables: Record<string, string>): number[] {
  const name = /^var\((--[\w-]+)\)$/.exec(color)?.[1];
  if (name) return channels(variables[name] ?? '', variables);
  const hex = /^#(\w\w)(\w\w)(\w\w)$/.exec(color);
  if (hex) return [...hex.slice(1).map((part) => Number.parseInt(part, 16)), 1];
  const [red = NaN, green = NaN, blue = NaN, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue, alpha];
}

/** Return the relative luminance of WCAG. */
function luminance([red = 0, green = 0, blue = 0]: number[]) {
  const part = (value: number) => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
}

it.each(['light', 'dark'] as const)('makes badges of every colour readable: %s', (scheme) => {
  const variables = { ...base.variables, ...base[scheme], ...own.variables, ...own[scheme] };
  const badge = theme.components?.Badge?.vars?.(merged, {}, undefined) as Record<
    'root',
    { '--badge-color': string }
  >;
  const text = luminance(channels(badge.root['--badge-color'], variables));
  for (const color of Object.keys(merged.colors)) {
    const [red, green, blue, alpha = 1] = channels(`var(--mantine-color-${color}-light)`, variables);
    const surface = channels('var(--surface)', variables);
    const mixed = [red, green, blue].map(
      (value, place) => (value ?? 0) * alpha + (surface[place] ?? 0) * (1 - alpha),
    );
    const [dark = 0, light = 0] = [text, luminance(mixed)].sort((a, b) => a - b);
    expect((light + 0.05) / (dark + 0.05), color).toBeGreaterThan(4.5);
  }
});
