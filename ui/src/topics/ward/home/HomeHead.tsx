import { ActionIcon, Button } from '@mantine/core';
import { IconBuildingHospital, IconHelp, IconMenu2, IconPlus, IconSearch } from '@tabler/icons-react';
import { use } from 'react';
import { Link } from 'react-router-dom';
import type { AreaView } from '@/api/generated';
import { useLanguage } from '@/i18n/LanguageProvider';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { useCan } from '@/session/useCan';
import { areaPageOf } from '@/shared/records/sheetAddresses';
import { HelpButton, openHelp } from '@/shared/ui/HelpButton';
import { OpenMenuContext } from '@/shared/ui/menuContext';
import { OverflowMenuButton } from '@/shared/ui/OverflowMenuButton';
import { OpenGlobalSearchContext, SearchButton } from '@/shared/ui/SearchButton';
import { AreaMenu } from './AreaMenu';
import { FindSheet } from './FindSheet';
import classes from './ward.module.css';

/** The head of the home page: the area, the search for a sheet and the button for a new one. */
export function HomeHead({ areas }: { areas: AreaView[] | undefined }) {
  const t = useText();
  const { language } = useLanguage();
  const mayOpen = useCan('sheets.open');
  const mayAdd = useCan('details.add');
  const ward = useSession().user?.ward?.area;
  const area = ward ?? (areas?.length === 1 ? areas[0] : undefined);
  const openMenu = use(OpenMenuContext);
  const openSearch = use(OpenGlobalSearchContext);
  return (
    <div className={classes.head}>
      <ActionIcon className={classes.narrow} onClick={openMenu} aria-label={t('nav.menu')}>
        <IconMenu2 aria-hidden />
      </ActionIcon>
      <AreaMenu areas={areas} />
      <FindSheet className={classes.find} rightSection={<kbd className={classes.key}>/</kbd>} />
      {mayOpen && (
        <Button
          component={Link}
          to="/consumption-sheets/create"
          data-shortcut="new"
          className={classes.new}
          leftSection={<IconPlus size={20} aria-hidden />}
        >
          {t('sheets.open')}
        </Button>
      )}
      {mayAdd && (
        <Button
          component={Link}
          to={area ? areaPageOf(area) : '/consumption-sheets/areas'}
          data-shortcut="area"
          variant="default"
          className={classes.new}
          leftSection={<IconBuildingHospital size={20} aria-hidden />}
        >
          {t('area.title')}
        </Button>
      )}
      <SearchButton className={classes.wide} />
      <HelpButton className={classes.wide} />
      <OverflowMenuButton
        label={t('details.moreActions')}
        className={classes.narrow}
        items={[
          { label: t('globalSearch.label'), icon: IconSearch, run: openSearch },
          { label: t('help.screen'), icon: IconHelp, run: () => openHelp(language) },
        ]}
      />
    </div>
  );
}
