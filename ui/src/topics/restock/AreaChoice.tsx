import { useReadAreaQuery } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { useAreas } from '@/topics/catalogue/useAreas';
import classes from './restock.module.css';

interface Props {
  areaId: number | undefined;
  onChoose: (id: number | null) => void;
}

/** Choose the area of the list. */
export function AreaChoice({ areaId, onChoose }: Props) {
  const t = useText();
  const area = useReadAreaQuery({ areaId: areaId ?? 0 }, { skip: !areaId });
  return (
    <SearchSelect
      label={t('restock.area')}
      className={classes.area}
      value={areaId ?? null}
      valueName={area.currentData?.name ?? ''}
      onChange={onChoose}
      useFound={useAreas}
      nameOf={({ name }) => name}
    />
  );
}
