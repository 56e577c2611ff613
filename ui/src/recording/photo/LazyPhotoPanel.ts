import { withLaterTexts } from '@/i18n/messages';
import { lazyPart } from '@/shared/ui/lazyPart';

/** The panel with pictures of packs, loaded when it is opened. */
export const PhotoPanel = lazyPart(withLaterTexts(() => import('./PhotoPanel')));
