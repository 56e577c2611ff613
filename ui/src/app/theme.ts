import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import classes from './theme.module.css';

/*
 * Design of the application in one place.
 *
 * Petrol is for actions, slate for everything static, red for destructive actions. Text has a contrast of at least
 * 4.5:1 on every surface in both schemes, controls are 44 px high, and numbers align in columns.
 */

const petrol: MantineColorsTuple = [
  '#e9f6f5',
  '#d0ebe9',
  '#a3d8d5',
  '#74c3c0',
  '#4fb0ad',
  '#34999a',
  '#238083',
  '#176b70',
  '#11565b',
  '#0c4347',
];

const slate: MantineColorsTuple = [
  '#f5f7f7',
  '#eaeeee',
  '#dde3e4',
  '#c9d1d3',
  '#a9b4b7',
  '#7c898d',
  '#5d6a6e',
  '#475357',
  '#303a3e',
  '#1b2326',
];

const night: MantineColorsTuple = [
  '#d8dfe1',
  '#b7c2c5',
  '#9aa7ab',
  '#6b797e',
  '#465358',
  '#354146',
  '#262f33',
  '#1a2124',
  '#131a1c',
  '#0d1213',
];

const red: MantineColorsTuple = [
  '#fdf0ee',
  '#fadbd6',
  '#f4b5ac',
  '#ee9083',
  '#e87666',
  '#d95443',
  '#c53d2c',
  '#a92e1f',
  '#8b2418',
  '#6d1b12',
];

const touch = '2.75rem';
const small = 'var(--mantine-font-size-sm)';

export const theme = createTheme({
  primaryColor: 'petrol',
  colors: { petrol, gray: slate, dark: night, red },
  primaryShade: { light: 7, dark: 6 },
  black: slate[9],
  fontFamily: "'Atkinson Hyperlegible Next Variable', system-ui, sans-serif",
  fontSizes: { xs: '0.8125rem', sm: '0.9375rem', md: '1rem', lg: '1.125rem', xl: '1.3125rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.4', xl: '1.35' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.625rem', lg: '0.875rem', xl: '1.25rem' },
  defaultRadius: 'md',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.3125rem', lineHeight: '1.35' },
      h2: { fontSize: '1.125rem', lineHeight: '1.4' },
      h3: { fontSize: '1rem', lineHeight: '1.5' },
    },
  },
  focusRing: 'always',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Input: {
      vars: () => ({ wrapper: { '--input-height': touch, '--input-fz': '1rem' } }),
      classNames: { input: classes.input },
    },
    InputWrapper: {
      styles: {
        label: { marginBottom: '0.25rem', fontSize: small, fontWeight: 550 },
        description: { fontSize: small },
        error: { fontSize: small },
      },
    },
    Button: {
      vars: () => ({ root: { '--button-height': touch, '--button-fz': '1rem' } }),
      styles: { root: { fontWeight: 600 } },
      classNames: { root: classes.button, label: classes.label },
    },
    ActionIcon: {
      defaultProps: { size: touch, variant: 'subtle', color: 'gray' },
      classNames: { root: classes.icon },
    },
    CloseButton: {
      vars: () => ({ root: { '--cb-size': touch, '--cb-icon-size': '1.25rem' } }),
    },
    // The colour of the surface tells badges apart; all have the colour of text, since their own may be too light to read.
    Badge: {
      defaultProps: { variant: 'light', size: 'lg', tt: 'none', fw: 550 },
      vars: () => ({ root: { '--badge-color': 'var(--mantine-color-text)' } }),
    },
    // They close by `useEscape`, the topmost first.
    Modal: { defaultProps: { closeOnEscape: false } },
    ModalRoot: { defaultProps: { closeOnEscape: false } },
    Drawer: { defaultProps: { closeOnEscape: false } },
    DrawerRoot: { defaultProps: { closeOnEscape: false } },
    // In a dialog, a `header` element would be a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    Anchor: { defaultProps: { underline: 'hover' } },
    Paper: { defaultProps: { radius: 'lg' }, classNames: { root: classes.paper } },
    Notifications: { classNames: { root: classes.toasts } },
    Alert: { defaultProps: { radius: 'md' } },
  },
});

/**
 * Colours for light and dark mode.
 *
 * Style sheets use these variables, since the build cannot lower `light-dark()` under Mantine.
 */
export const schemeVariables: CSSVariablesResolver = () => ({
  variables: {
    '--touch': touch,
    // The height of what a mouse needs smaller than a finger: chips, tabs and items of menus, and rows of lists.
    '--control': 'var(--finger-control, 2.25rem)',
    '--row': 'var(--finger-row, 2.375rem)',
    '--row-head': 'var(--finger-control, 2rem)',
    // Colours of states, with a contrast of at least 4.5:1 on every surface in both schemes.
    '--state-on': 'var(--here)',
    '--state-busy': 'var(--mantine-color-text)',
    '--state-look': 'var(--warn)',
    '--state-stop': 'var(--mantine-color-error)',
    '--state-over': 'var(--mantine-color-dimmed)',
  },
  light: {
    '--mantine-color-dimmed': slate[6],
    '--mantine-color-placeholder': slate[6],
    '--mantine-color-error': red[7],
    '--mantine-color-default-border': slate[3],
    '--mantine-color-gray-light-color': slate[8],
    '--mantine-color-yellow-light': '#fdf1d7',
    '--page': slate[0],
    '--surface': '#ffffff',
    '--line': slate[2],
    '--hover': petrol[0],
    '--tint': petrol[0],
    '--glow': petrol[1],
    '--here': petrol[8],
    '--warn': '#8a5300',
    '--area': '#55308a',
    '--area-surface': '#efe8fa',
    '--shade': slate[3],
  },
  dark: {
    '--mantine-color-dimmed': night[2],
    '--mantine-color-placeholder': night[2],
    '--mantine-color-error': red[3],
    '--mantine-color-petrol-light': 'rgb(79 176 173 / 0.16)',
    '--mantine-color-petrol-light-hover': 'rgb(79 176 173 / 0.22)',
    '--mantine-color-red-light': 'rgb(232 118 102 / 0.16)',
    '--mantine-color-red-light-hover': 'rgb(232 118 102 / 0.22)',
    '--mantine-color-gray-light-color': night[0],
    '--mantine-color-yellow-light': 'rgb(240 185 90 / 0.16)',
    '--mantine-color-default-border': night[4],
    '--page': night[8],
    '--surface': night[7],
    '--line': night[5],
    '--hover': night[6],
    '--tint': 'rgb(79 176 173 / 0.16)',
    '--glow': 'rgb(79 176 173 / 0.3)',
    '--here': petrol[2],
    '--warn': '#f0b95a',
    '--area': '#cdb6f5',
    '--area-surface': '#30274a',
    '--shade': night[9],
  },
});
