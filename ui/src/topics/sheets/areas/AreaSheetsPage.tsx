import { Paper, Title } from '@mantine/core';
import { IconBuildingHospital } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router-dom';
import { type AreaView, useListAreaSheetsQuery, useListAreasQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { areaPageOf } from '@/shared/records/sheetAddresses';
import { EmptyState } from '@/shared/ui/EmptyState';
import { PageLoader } from '@/shared/ui/PageLoader';
import { SheetTabs } from '../SheetTabs';
import classes from './AreaSheetsPage.module.css';

/** List the areas, each with the page on which it records what it uses for no patient, and the months of one of them. */
export default function AreaSheetsPage() {
  const t = useText();
  const answer = useListAreasQuery({ limit: 100 });
  throwOnError(answer);
  const own = useSession().user?.ward?.area?.id;
  const [params] = useSearchParams();
  const chosen = Number(params.get('area')) || own;
  const areas = answer.data?.items;
  const shown = areas?.find(({ id }) => id === chosen);
  return (
    <>
      <SheetTabs here="areas" />
      {!areas && <PageLoader />}
      {areas?.length === 0 && (
        <EmptyState icon={<IconBuildingHospital size={40} aria-hidden />} title={t('area.none')} />
      )}
      {areas && areas.length > 0 && (
        <Paper withBorder component="ul" className={classes.list} aria-label={t('area.title')}>
          {areas.map((area) => (
            <li key={area.id}>
              <Link to={areaPageOf(area)} className={classes.link}>
                {area.name}
              </Link>
            </li>
          ))}
        </Paper>
      )}
      {shown && <Months key={shown.id} area={shown} />}
    </>
  );
}

function Months({ area }: { area: AreaView }) {
  const t = useText();
  const format = useFormat();
  const pages = useListAreaSheetsQuery({ areaId: area.id }, { refetchOnMountOrArgChange: true }).data?.items;
  if (!pages) return null;
  return (
    <section aria-labelledby="months" className={classes.months}>
      <Title order={2} size="h4" id="months">
        {t('area.pages', { area: area.name })}
      </Title>
      {pages.length === 0 && <p>{t('area.noPages')}</p>}
      {pages.length > 0 && (
        <Paper withBorder component="ul" className={classes.list} aria-labelledby="months">
          {pages.map(({ id, month, part, lines }) => (
            <li key={id}>
              <Link to={`${areaPageOf(area)}?sheet=${id}`} className={classes.link}>
                <span>
                  {part > 1 ? t('area.part', { month: format.month(month), part }) : format.month(month)}
                </span>
                <span className={classes.note}>{t('sheets.recorded', { count: lines })}</span>
              </Link>
            </li>
          ))}
        </Paper>
      )}
    </section>
  );
}
