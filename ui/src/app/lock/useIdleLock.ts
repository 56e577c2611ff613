import { useLayoutEffect } from 'react';
import { useReadSettingsQuery } from '@/api/generatedSignIn';
import { lastActive, markActive } from '@/session/activity';
import { passLockKey } from '@/session/lockKeys';
import { locked, useSession } from '@/session/session';
import { useAppSelector, useAppStore } from '@/state/storeHooks';

const KEYS = ['keydown', 'keypress', 'keyup'];
const SIGNS = [...KEYS, 'pointerdown', 'pointermove', 'touchstart', 'wheel', 'input'];
const SECOND = 1_000;
const MINUTE = 60_000;
/** Idle minutes until the server's setting is known. */
const USUAL_MINUTES = 15;

/** The current event handler. It runs before all others: dialogs, shortcuts and scanners listen to the window, too. */
let onSign: (event: Event) => void = () => {};
let seen = 0;
for (const sign of SIGNS)
  window.addEventListener(sign, (event) => onSign(event), { capture: true, passive: !KEYS.includes(sign) });

/**
 * Lock the screen after the hospital's idle time without input.
 *
 * Input in any tab of this browser counts. While it is locked, only the lock screen receives key events. The screen is
 * not locked while the server is unreachable: only the server can check the password, so users who record would be
 * locked out. An idle screen is locked once the server answers again.
 */
export function useIdleLock() {
  const store = useAppStore();
  const { token, locked: isLocked } = useSession();
  const settings = useReadSettingsQuery(undefined, { skip: !token });
  const isAway = useAppSelector(({ outbox }) => outbox.unreachableSince !== null);
  const minutes = settings.isLoading ? 0 : (settings.data?.idle_minutes ?? USUAL_MINUTES);

  useLayoutEffect(() => {
    let timer: number | undefined;

    function look() {
      window.clearTimeout(timer);
      if (!token || isLocked || isAway || minutes === 0) return;
      const left = lastActive() + minutes * MINUTE - Date.now();
      if (left <= 0) store.dispatch(locked());
      // Timers are late in hidden pages and on sleeping machines, so the time is checked before the page is shown
      // again.
      else timer = window.setTimeout(look, left);
    }

    onSign = (event) => {
      if (!isLocked && Math.abs(Date.now() - seen) < SECOND) return;
      seen = Date.now();
      look();
      const hidden = store.getState().session.locked;
      if (!hidden && token) markActive();
      if (hidden && KEYS.includes(event.type)) {
        if (isLocked && event.type === 'keydown') passLockKey(event as KeyboardEvent);
        event.stopImmediatePropagation();
        // Drop the key that triggered the lock: it was meant for the page.
        if (!isLocked) event.preventDefault();
      }
    };
    // Not while it goes away: locking stores lines, and a page must not begin that as it ends.
    const onShown = () => document.visibilityState === 'visible' && look();
    look();
    document.addEventListener('visibilitychange', onShown);
    window.addEventListener('pageshow', look);
    return () => {
      onSign = () => {};
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', onShown);
      window.removeEventListener('pageshow', look);
    };
  }, [store, token, isLocked, isAway, minutes]);
}

/** Elements in the body that display nothing. */
const SHOWS_NOTHING = 'script, style, link, template, noscript';

interface Detached {
  element: Element;
  placeholder: Comment;
  scrolled: { element: Element; left: number; top: number }[];
  playing: HTMLMediaElement[];
}

function detach(element: Element): Detached {
  const within = [element, ...element.querySelectorAll('*')];
  const detached = {
    element,
    placeholder: document.createComment(''),
    // A browser forgets both for elements that leave the document.
    scrolled: within
      .filter(({ scrollLeft, scrollTop }) => scrollLeft || scrollTop)
      .map((element) => ({ element, left: element.scrollLeft, top: element.scrollTop })),
    playing: within.filter((one) => one instanceof HTMLMediaElement).filter(({ paused }) => !paused),
  };
  element.replaceWith(detached.placeholder);
  return detached;
}

function attach({ element, placeholder, scrolled, playing }: Detached) {
  placeholder.replaceWith(element);
  for (const { element, left, top } of scrolled) {
    element.scrollLeft = left;
    element.scrollTop = top;
  }
  for (const media of playing) media.play()?.catch(() => {}); // its source may have ended meanwhile
}

/**
 * Detach all pages, dialogs and toasts while the screen is locked.
 *
 * This includes elements that are added meanwhile. So a page that is saved or inspected contains no patient. React
 * keeps rendering into the detached elements. They return with their scroll position and focus.
 */
export function useDetachedBehind(lockScreen: HTMLElement) {
  useLayoutEffect(() => {
    const focused = document.activeElement;
    const { scrollX, scrollY } = window;
    const behind: Detached[] = [];
    // Mantine's variables are in the detached application, and the lock screen needs them.
    for (const style of document.querySelectorAll('style[data-mantine-styles]'))
      lockScreen.append(style.cloneNode(true));
    function hide() {
      for (const element of [...document.body.children])
        if (element !== lockScreen && !element.matches(SHOWS_NOTHING)) behind.push(detach(element));
    }
    hide();
    const watching = new MutationObserver(hide);
    watching.observe(document.body, { childList: true });
    lockScreen.querySelector('input')?.focus();
    return () => {
      watching.disconnect();
      for (const one of behind) attach(one);
      if (scrollX || scrollY) window.scrollTo(scrollX, scrollY);
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
    };
  }, [lockScreen]);
}
