import { ActionIcon, Button, useMantineColorScheme } from '@mantine/core';
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs';
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs';
import IconSunMoon from '@tabler/icons-react/dist/esm/icons/IconSunMoon.mjs';
import { useText } from '@/i18n/useText';

const schemes = {
  auto: { Icon: IconSunMoon, label: 'scheme.auto', next: 'light' },
  light: { Icon: IconSun, label: 'scheme.light', next: 'dark' },
  dark: { Icon: IconMoon, label: 'scheme.dark', next: 'auto' },
} as const;

/** Automatic, light, dark, and round again; as a sign alone where there is little room. */
export function SchemeSwitch({ iconOnly }: { iconOnly?: boolean }) {
  const t = useText();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { Icon, label, next } = schemes[colorScheme];
  const icon = <Icon size={20} aria-hidden />;
  const change = () => setColorScheme(next);
  return iconOnly ? (
    <ActionIcon onClick={change} aria-label={t(label)} title={t(label)}>
      {icon}
    </ActionIcon>
  ) : (
    <Button variant="subtle" color="gray" leftSection={icon} onClick={change}>
      {t(label)}
    </Button>
  );
}
