import {
  IconBaselineDensityMedium,
  IconHelp,
  IconMenu2,
  IconPackage,
  IconPhoto,
  IconRepeat,
  IconSearch,
  IconStrikethrough,
} from '@tabler/icons-react';
import { use } from 'react';
import { useLanguage } from '@/i18n/LanguageProvider';
import { useText } from '@/i18n/useText';
import { openHelp } from '@/shared/ui/HelpButton';
import { OpenMenuContext } from '@/shared/ui/menuContext';
import type { MoreItem } from '@/shared/ui/OverflowMenu';
import { OpenGlobalSearchContext } from '@/shared/ui/SearchButton';
import type { HeadProps } from './headProps';

/** Return what the menu of every recording page begins with and ends with. */
export function useHeadMenu({ over, onBatch, onPhoto, onVoided, density, onDensity }: HeadProps) {
  const t = useText();
  const { language } = useLanguage();
  const openMenu = use(OpenMenuContext);
  const openSearch = use(OpenGlobalSearchContext);
  const again: MoreItem[] =
    onBatch && onPhoto && !over
      ? [
          { label: t('photo.title'), icon: IconPhoto, run: onPhoto },
          { label: t('batch.repeat'), icon: IconRepeat, run: () => onBatch({ kind: 'repeat' }) },
          { label: t('batch.asKit'), icon: IconPackage, run: () => onBatch({ kind: 'repeat', asKit: true }) },
        ]
      : [];
  const page: MoreItem[] = [
    { label: t('details.voided.title'), icon: IconStrikethrough, run: onVoided },
    {
      label: t('details.comfortable'),
      icon: IconBaselineDensityMedium,
      checked: density === 'comfortable',
      run: () => onDensity(density === 'comfortable' ? 'compact' : 'comfortable'),
    },
    { label: t('globalSearch.label'), icon: IconSearch, run: openSearch },
    { label: t('help.screen'), icon: IconHelp, run: () => openHelp(language), onlyNarrow: true },
    { label: t('nav.menu'), icon: IconMenu2, run: openMenu, onlyNarrow: true },
  ];
  return { again, page };
}
