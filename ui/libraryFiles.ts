/*
 * Files of the libraries that a module needs by what it imports, so that no module names them.
 */
import type { Plugin } from 'vite';

const importOf = (library: string) => new RegExp(String.raw`^import \{([^}]+)\} from '${library}';$`, 'gm');

/** Return the names in the braces of an import that are no types. */
const namesIn = (names: string) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && !name.startsWith('type '));

/** Import each icon from its own file: the index would load six thousand, into each worker of the tests too. */
export const singleIcons: Plugin = {
  name: 'single-icons',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('/src/')) return null;
    return code.replace(importOf('@tabler/icons-react'), (whole, names: string) => {
      const imports = namesIn(names).map(
        (icon) => `import ${icon} from '@tabler/icons-react/dist/esm/icons/${icon}.mjs';`,
      );
      return imports.join('') + whole.replace(/[^\n]/g, '');
    });
  },
};

const MODAL = 'core/ScrollArea core/Overlay core/ModalBase core/Modal';

/**
 * The styles of Mantine's components, in the order of their dependencies, without those of the login page
 * (src/app/mantineBase.ts). A missing one fails `npm run build` (checks/built.mjs).
 */
const STYLES: Record<string, string> = {
  Badge: 'core/Badge',
  BarChart: 'core/ColorSwatch charts',
  Checkbox: 'core/InlineInput core/Checkbox',
  Combobox: 'core/Popover core/Combobox',
  DateInput: 'core/Popover dates',
  Drawer: `${MODAL} core/Drawer`,
  Fieldset: 'core/Fieldset',
  List: 'core/List',
  Menu: 'core/Popover core/Menu',
  Modal: MODAL,
  NativeSelect: 'core/Combobox',
  Notifications: 'core/Notification notifications',
  Popover: 'core/Popover',
  SegmentedControl: 'core/FloatingIndicator core/SegmentedControl',
  SimpleGrid: 'core/SimpleGrid',
  Skeleton: 'core/Skeleton',
  Switch: 'core/InlineInput core/Switch',
  TagsInput: 'core/Popover core/Combobox core/Pill core/PillsInput',
};

const importOfStyle = (style: string) =>
  `import '@mantine/${style.includes('/') ? style.replace('/', '/styles/') : `${style}/styles`}.css';`;

/** Import the styles of Mantine's components after the components. */
export const mantineStyles: Plugin = {
  name: 'mantine-styles',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('/src/')) return null;
    return code.replace(importOf('@mantine/(?:core|charts|dates|notifications)'), (whole, names: string) => {
      const styles = namesIn(names).flatMap((component) => STYLES[component]?.split(' ') ?? []);
      return whole + styles.map(importOfStyle).join('');
    });
  },
};
