import { Button, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun, IconSunMoon } from '@tabler/icons-react';
import { useText } from '@/i18n/useText';

/** Label and icon of each colour scheme, and which one is next. */
export const schemes = {
  auto: { Icon: IconSunMoon, label: 'scheme.auto', next: 'light' },
  light: { Icon: IconSun, label: 'scheme.light', next: 'dark' },
  dark: { Icon: IconMoon, label: 'scheme.dark', next: 'auto' },
} as const;

/** Cycle through automatic, light and dark. */
export function SchemeSwitch() {
  const t = useText();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { Icon, label, next } = schemes[colorScheme];
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<Icon size={20} aria-hidden />}
      onClick={() => setColorScheme(next)}
    >
      {t(label)}
    </Button>
  );
}
