import { CloseButton, Combobox, Modal, TextInput, useCombobox, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  type Icon,
  IconBuildingHospital,
  IconClipboardList,
  IconPackage,
  IconPlus,
  IconReportAnalytics,
  IconSearch,
  IconSettings,
  IconUserCircle,
} from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import {
  type SheetView,
  useListAreasQuery,
  useListProductsQuery,
  useReadSheetVersionQuery,
} from '@/api/generated';
import { foldText } from '@/i18n/foldText';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { useOpenDialog } from '@/shared/dialogs/openDialogs';
import { useEscape } from '@/shared/dialogs/useEscape';
import { useReturnFocus } from '@/shared/dialogs/useReturnFocus';
import { duplicateNames } from '@/shared/forms/duplicateNames';
import { fullName } from '@/shared/records/fullName';
import { areaPageOf, detailsOf } from '@/shared/records/sheetAddresses';
import { ClampedText } from '@/shared/ui/ClampedText';
import { useOpenSheets, useSheetNote } from '@/topics/sheets/OpenSheetSelect';
import { usePermittedNavigation } from '../navigation/navigation';
import classes from './GlobalSearchDialog.module.css';

/** Debounce delay before the server is searched, in milliseconds. */
const WAIT = 200;
const AT_MOST = 6;

interface Found {
  to: string;
  name: string;
  note?: string;
  /** Another result has the same name. */
  same?: boolean;
  icon: Icon;
}

interface Group {
  title: MessageId;
  found: Found[];
}

interface Props {
  opened: boolean;
  onClose: () => void;
}

const NO_CONTENT = { current: null };

/**
 * Search of everything with a name and a page that the user may see.
 *
 * Enter opens the first result. If that is a patient's sheet, Enter only opens it when the match is unambiguous.
 */
export default function GlobalSearchDialog({ opened, onClose }: Props) {
  // A search loses nothing when a wristband closes it.
  useOpenDialog(opened, NO_CONTENT, { holdsScans: false, onClose });
  const t = useText();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const { groups, isUndecided } = useGroups(text, !opened);
  const all = groups.flatMap(({ found }) => found);
  const seesProducts = useCan('catalogue.manage');
  const combobox = useCombobox({ opened: true });

  const first = all[0]?.to;
  const { selectFirstOption, resetSelectedOption } = combobox;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the results change.
  useEffect(() => {
    if (!opened) return;
    if (isUndecided) resetSelectedOption();
    else selectFirstOption();
  }, [opened, first, all.length, isUndecided, selectFirstOption, resetSelectedOption]);

  // The page that opens takes the focus.
  const leaves = useRef(false);
  const isCancelled = useCallback(() => !leaves.current, []);
  useReturnFocus(opened, isCancelled);
  useEscape(opened, close);

  function close() {
    leaves.current = false;
    onClose();
    setTyped('');
  }

  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('globalSearch.title')}
      withCloseButton={false}
      classNames={{ header: classes.header, body: classes.body, content: classes.content }}
      yOffset="10dvh"
      size="lg"
      returnFocus={false}
    >
      <Combobox
        store={combobox}
        onOptionSubmit={(to) => {
          close();
          leaves.current = true;
          navigate(to);
        }}
      >
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            aria-label={t('globalSearch.label')}
            placeholder={t(
              seesProducts ? 'globalSearch.placeholder' : 'globalSearch.placeholderWithoutProducts',
            )}
            leftSection={<IconSearch size={20} aria-hidden />}
            rightSection={
              <>
                <kbd className={classes.key} aria-hidden>
                  Esc
                </kbd>
                <CloseButton className={classes.close} aria-label={t('action.close')} onClick={close} />
              </>
            }
            rightSectionWidth="3.5rem"
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            value={typed}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className={classes.options} aria-label={t('globalSearch.title')}>
          {isUndecided && <Combobox.Empty>{t('select.choose', { count: all.length })}</Combobox.Empty>}
          {groups.map(
            ({ title, found }) =>
              found.length > 0 && (
                <Combobox.Group key={title} label={t(title)}>
                  {found.map(({ to, name, note, same, icon: Icon }) => (
                    <Combobox.Option key={to} value={to} className={classes.option}>
                      <Icon size={20} className={classes.icon} aria-hidden />
                      <ClampedText className={classes.name}>{name}</ClampedText>
                      {note && (
                        <ClampedText className={same ? classes.equal : classes.note}>{note}</ClampedText>
                      )}
                    </Combobox.Option>
                  ))}
                </Combobox.Group>
              ),
          )}
          {all.length === 0 && <Combobox.Empty>{t('select.none')}</Combobox.Empty>}
        </Combobox.Options>
        <VisuallyHidden role="status">
          {text &&
            (isUndecided ? t('select.choose', { count: all.length }) : (all[0]?.name ?? t('select.none')))}
        </VisuallyHidden>
      </Combobox>
    </Modal>
  );
}

/**
 * Return the results for the text, or pages and commands if it is empty.
 *
 * `isUndecided`: several sheets match, so the user has to select one.
 */
function useGroups(text: string, skip: boolean): { groups: Group[]; isUndecided: boolean } {
  const t = useText();
  const sheetNote = useSheetNote();
  const places = usePermittedNavigation();
  const mayOpen = useCan('sheets.open');
  const maySavePatients = useCan('patients.save');
  const mayReport = useCan('reports.read');
  const seesPrices = useCan('prices.see');
  const hasProfile = useCan('profile.link');
  const seesProducts = useCan('catalogue.manage');
  const [asked] = useDebouncedValue(text, WAIT);
  const idle = skip || asked === '';
  const sheets = useOpenSheets(asked, idle);
  // Fetch only the version: reading the sheet itself would be logged as viewing the patient.
  const sheetId = /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : 0;
  const numbered = useReadSheetVersionQuery({ sheetId }, { skip: idle || sheetId === 0 });
  const products = useListProductsQuery(
    { name: asked, limit: AT_MOST },
    { skip: idle || !seesProducts || asked.length < 2 },
  );

  const mayAdd = useCan('details.add');
  const areas = useListAreasQuery({ limit: 100 }, { skip: skip || !mayAdd }).data?.items;

  // Results of an earlier text are not offered: Enter would open another patient.
  const pending = idle || asked !== text;
  return useMemo(() => {
    const isDuplicate = duplicateNames(products.currentData?.items ?? []);
    const { items: found = [], nearest = [], exact } = (!pending && sheets.currentData) || {};
    const offer = (sheet: SheetView): Found => ({
      to: detailsOf(sheet),
      name: fullName(sheet.patient),
      note: sheetNote(sheet),
      icon: IconClipboardList,
    });
    const ofSheets = found.slice(0, AT_MOST).map(offer);
    // Last, because a number is more likely a room than a sheet.
    if (!pending && numbered.currentData && !found.some(({ id }) => id === sheetId))
      ofSheets.push({
        to: detailsOf({ id: sheetId }),
        name: t('details.sheetNumber', { id: sheetId }),
        icon: IconClipboardList,
      });
    const offered = nearest.slice(0, AT_MOST).map(offer);
    const wanted = foldText(text);
    const isCalled = ({ name }: Found) => foldText(name).includes(wanted);
    const command = (may: boolean, to: string, label: MessageId, icon = IconPlus): Found[] =>
      may ? [{ to, name: t(label), icon }] : [];
    const seen = new Set(places.map(({ to }) => to));
    const groups: Group[] = [
      { title: 'globalSearch.sheets', found: ofSheets },
      { title: 'select.nearest', found: offered },
      {
        title: 'globalSearch.pages',
        found: [
          ...places.map(({ to, label, icon }) => ({ to, name: t(label), icon })),
          ...command(
            mayReport && !seen.has('/reports/consumption'),
            '/reports/consumption',
            'reports.title',
            IconReportAnalytics,
          ),
          ...command(mayReport && seesPrices, '/reports/months', 'months.title', IconReportAnalytics),
          ...command(hasProfile, '/auth/profile', 'profile.title', IconUserCircle),
        ].filter(isCalled),
      },
      {
        title: 'globalSearch.commands',
        found: [
          ...command(mayOpen, '/consumption-sheets/create', 'sheets.open'),
          ...(areas ?? []).map((area) => ({
            to: areaPageOf(area),
            name: t('area.of', { area: area.name }),
            icon: IconBuildingHospital,
          })),
          ...command(maySavePatients, '/patients/create', 'patients.create'),
          ...command(true, '/users/account', 'account.title', IconSettings),
        ].filter(isCalled),
      },
      {
        title: 'globalSearch.products',
        found: pending
          ? []
          : (products.currentData?.items ?? []).map(({ id, name, code }) => ({
              to: `/products/${id}`,
              name,
              note: code ?? undefined,
              same: isDuplicate({ name }),
              icon: IconPackage,
            })),
      },
    ];
    // A single row is opened by Enter.
    const isUndecided =
      (ofSheets.length > 1 && found.length > 0 && exact === undefined) ||
      (found.length === 0 && offered.length > 0);
    return { groups, isUndecided };
  }, [
    text,
    pending,
    sheets.currentData,
    numbered.currentData,
    sheetId,
    products.currentData,
    areas,
    places,
    mayOpen,
    maySavePatients,
    mayReport,
    seesPrices,
    hasProfile,
    sheetNote,
    t,
  ]);
}
