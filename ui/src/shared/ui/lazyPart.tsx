import { Button, Group } from '@mantine/core';
import { type ComponentProps, type ComponentType, lazy, useEffect, useEffectEvent, useState } from 'react';
import { useText } from '@/i18n/useText';

// biome-ignore lint/suspicious/noExplicitAny: as in React's own `lazy`.
type Load<Part extends ComponentType<any>> = () => Promise<{ default: Part }>;

/**
 * Return a part of a page that is loaded when it is first shown, like React's `lazy`.
 *
 * A part that cannot be loaded says so in its place, and is loaded when the network is back or the user tries again. The
 * rest of the page stays.
 */
// biome-ignore lint/suspicious/noExplicitAny: as in React's own `lazy`.
export const lazyPart = <Part extends ComponentType<any>>(load: Load<Part>) =>
  lazy<ComponentType<ComponentProps<Part>>>(() => load().catch(() => ({ default: notLoaded(load) })));

// biome-ignore lint/suspicious/noExplicitAny: as in React's own `lazy`.
function notLoaded<Part extends ComponentType<any>>(load: Load<Part>) {
  let Loaded: Part | undefined;
  return function NotLoaded(props: ComponentProps<Part>) {
    const t = useText();
    const [isTrying, setIsTrying] = useState(Loaded === undefined);
    const again = useEffectEvent(async () => {
      if (Loaded) return;
      setIsTrying(true);
      Loaded = await loadStyles()
        .then(load)
        .then((part) => part.default)
        .catch(() => undefined);
      setIsTrying(false);
    });
    useEffect(() => {
      const tryAgain = () => void again();
      tryAgain();
      window.addEventListener('online', tryAgain);
      return () => window.removeEventListener('online', tryAgain);
    }, []);
    if (Loaded) return <Loaded {...props} />;
    return (
      <Group role="alert" gap="xs" p="xs">
        <span>{t('part.notLoaded')}</span>
        <Button variant="default" loading={isTrying} onClick={() => void again()}>
          {t('action.retry')}
        </Button>
      </Group>
    );
  };
}

/** Load the style sheets that failed. The bundler asks for each of them once. */
const loadStyles = () =>
  Promise.all(
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
      .filter(({ sheet }) => !sheet)
      .map(
        (link) =>
          new Promise((resolve, reject) => {
            const again = link.cloneNode() as HTMLLinkElement;
            again.onload = resolve;
            again.onerror = reject;
            link.replaceWith(again);
          }),
      ),
  );
