import type { UseFormReturnType } from '@mantine/form';
import { type PersonView, type ProductView, useListAreasQuery, useListStaffQuery } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { type Scanned, SearchSelect } from '@/shared/forms/SearchSelect';
import { fullName } from '@/shared/records/fullName';
import {
  isCodeOf,
  isPartOfCode,
  PRODUCT_WAIT,
  ProductNote,
  useActiveProducts,
} from '@/topics/catalogue/productSearch';

type Codes = Partial<Pick<ProductView, 'code' | 'gtin'>>;

/**
 * The values of a detail's selects.
 *
 * The names are the server's, so that its error messages find their fields.
 */
export interface Chosen {
  product_id: number | null;
  product: (Pick<ProductView, 'id' | 'name' | 'price'> & Codes) | null;
  staff_id: number | null;
  staff: PersonView | null;
  area_id: number | null;
}

interface Props<Values extends Chosen> {
  form: UseFormReturnType<Values>;
  className?: string;
}

interface ChoiceProps<Values extends Chosen> extends Props<Values> {
  /** Called after a choice. */
  onChosen?: () => void;
  /** Show only the open list, without a label, for users who asked to choose. */
  bare?: boolean;
}

const bareLook = (label: string) => ({
  label: undefined,
  'aria-label': label,
  autoFocus: true,
  opensAtOnce: true,
});

export const useStaff = (q: string | undefined, skip: boolean) =>
  useListStaffQuery({ q, limit: 20 }, { skip });

interface ProductSelectProps<Values extends Chosen> extends Props<Values> {
  onChange: (id: number | null, product: ProductView | null) => void;
  scanned?: Scanned | null;
}

export function ProductSelect<Values extends Chosen>({ form, ...rest }: ProductSelectProps<Values>) {
  const t = useText();
  return (
    <SearchSelect<ProductView>
      label={t('details.product')}
      placeholder={t('details.productPlaceholder')}
      required
      {...form.getInputProps('product_id')}
      valueName={form.values.product?.name}
      useFound={useActiveProducts}
      nameOf={({ name }) => name}
      noteOf={(product) => <ProductNote product={product} />}
      isExact={isCodeOf}
      isUncertain={isPartOfCode}
      wait={PRODUCT_WAIT}
      {...rest}
    />
  );
}

export function StaffSelect<Values extends Chosen>({ form, className, onChosen, bare }: ChoiceProps<Values>) {
  const t = useText();
  const { staff } = form.values;
  return (
    <SearchSelect
      className={className}
      label={t('details.staff')}
      {...form.getInputProps('staff_id')}
      valueName={staff ? fullName(staff) : ''}
      onChange={(id, chosen) => {
        if (bare && !chosen) return; // clearing keeps the former value until another one is chosen
        form.setValues({ staff_id: id, staff: chosen } as Partial<Values>);
        form.clearFieldError('staff_id');
        onChosen?.();
      }}
      useFound={useStaff}
      nameOf={fullName}
      {...(bare && bareLook(t('details.staff')))}
    />
  );
}

/** Search the areas; the option without an area comes first. */
function useAreas(q: string | undefined, skip: boolean) {
  const t = useText();
  const { currentData, isError } = useListAreasQuery({ q, limit: 100 }, { skip });
  if (q || !currentData) return { currentData, isError };
  return {
    currentData: {
      ...currentData,
      items: [{ id: 0, name: t('details.areaPlaceholder') }, ...currentData.items],
    },
    isError,
  };
}

/** Choose an area; hidden if there is only one. */
export function AreaSelect<Values extends Chosen>({ form, className, onChosen, bare }: ChoiceProps<Values>) {
  const t = useText();
  const areas = useListAreasQuery({ limit: 100 }).data?.items ?? [];
  const { area_id } = form.values;
  if (areas.length <= 1) return null;
  return (
    <SearchSelect
      className={className}
      label={t('details.area')}
      {...form.getInputProps('area_id')}
      value={area_id ?? 0}
      valueName={areas.find(({ id }) => id === area_id)?.name ?? t('details.areaPlaceholder')}
      onChange={(id, chosen) => {
        if (bare && !chosen) return;
        form.setValues({ area_id: id || null } as Partial<Values>);
        onChosen?.();
      }}
      useFound={useAreas}
      nameOf={({ name }) => name}
      noneFound={t('details.noAreas')}
      {...(bare && bareLook(t('details.area')))}
    />
  );
}
