import { CloseButton, Combobox, Modal, TextInput, useCombobox, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { foldText } from '@/i18n/foldText';
import '@/components/modalStyles';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Combobox.css';
import type { Icon } from '@tabler/icons-react';
import IconClipboardList from '@tabler/icons-react/dist/esm/icons/IconClipboardList.mjs';
import IconPackage from '@tabler/icons-react/dist/esm/icons/IconPackage.mjs';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useListProductsQuery, useListRoomsQuery, useListSheetsQuery } from '@/api/generated';
import { ClampedText } from '@/components/ClampedText';
import { duplicateNames } from '@/components/duplicateNames';
import { fullName } from '@/components/fullName';
import { detailsOf } from '@/components/sheetAddresses';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import classes from './GlobalSearchDialog.module.css';
import { usePermittedNavigation } from './navigation';

/** Typing rests for so long before the server is asked, in milliseconds. */
const WAIT = 200;
const AT_MOST = 6;

interface Found {
  to: string;
  name: string;
  note?: string;
  /** Another one is called the same. */
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

/** Everything that has a name and a page, by permission. Enter goes to the first of what is found. */
export default function GlobalSearchDialog({ opened, onClose }: Props) {
  const t = useText();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const groups = useGroups(text, !opened);
  const all = groups.flatMap(({ found }) => found);
  const combobox = useCombobox({ opened: true });

  const first = all[0]?.to;
  const { selectFirstOption } = combobox;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever others are found.
  useEffect(() => {
    if (opened) selectFirstOption();
  }, [opened, first, all.length, selectFirstOption]);

  function close() {
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
      // Whoever goes elsewhere has the focus there.
      returnFocus={false}
    >
      <Combobox
        store={combobox}
        onOptionSubmit={(to) => {
          close();
          navigate(to);
        }}
      >
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            aria-label={t('globalSearch.label')}
            placeholder={t('globalSearch.placeholder')}
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
        <VisuallyHidden role="status">{text && (all[0]?.name ?? t('select.none'))}</VisuallyHidden>
      </Combobox>
    </Modal>
  );
}

/** What is called so, or all pages and commands while nothing is typed. */
function useGroups(text: string, skip: boolean): Group[] {
  const t = useText();
  const format = useFormat();
  const places = usePermittedNavigation();
  const mayOpen = useCan('sheets.open');
  const maySavePatients = useCan('patients.save');
  const seesProducts = useCan('catalogue.manage');
  const [asked] = useDebouncedValue(text, WAIT);
  const idle = skip || asked === '';
  const sheets = useListSheetsQuery({ q: asked, limit: AT_MOST }, { skip: idle });
  const rooms = useListRoomsQuery({ q: asked, limit: AT_MOST }, { skip: idle });
  const products = useListProductsQuery(
    { name: asked, limit: AT_MOST },
    { skip: idle || !seesProducts || asked.length < 2 },
  );

  // What was found for other words is not offered: Enter would lead to another patient.
  const pending = idle || asked !== text;
  return useMemo(() => {
    const isDuplicate = duplicateNames(products.currentData?.items ?? []);
    const ofSheets = new Map<string, Found>();
    const add = (to: string, name: string, note?: string) => {
      if (!ofSheets.has(to)) ofSheets.set(to, { to, name, note, icon: IconClipboardList });
    };
    if (!pending) {
      for (const sheet of sheets.currentData?.items ?? [])
        add(
          detailsOf(sheet),
          fullName(sheet.patient),
          `${sheet.room.name} · ${format.day(sheet.admission_date)}`,
        );
      for (const room of rooms.currentData?.items ?? [])
        for (const sheet of room.sheets)
          add(
            detailsOf(sheet),
            fullName(sheet.patient),
            `${room.name} · ${format.day(sheet.admission_date)}`,
          );
      // Last, as a number is a room's before it is a sheet's; not read, for that would be looking at a patient.
      const id = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
      if (id) add(detailsOf({ id }), t('details.sheetNumber', { id }));
    }
    const wanted = foldText(text);
    const isCalled = ({ name }: Found) => foldText(name).includes(wanted);
    const command = (may: boolean, to: string, label: MessageId, icon = IconPlus): Found[] =>
      may ? [{ to, name: t(label), icon }] : [];
    return [
      { title: 'globalSearch.sheets', found: [...ofSheets.values()] },
      {
        title: 'globalSearch.pages',
        found: places.map(({ to, label, icon }) => ({ to, name: t(label), icon })).filter(isCalled),
      },
      {
        title: 'globalSearch.commands',
        found: [
          ...command(mayOpen, '/consumption-sheets/create', 'sheets.open'),
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
  }, [
    text,
    pending,
    sheets.currentData,
    rooms.currentData,
    products.currentData,
    places,
    mayOpen,
    maySavePatients,
    t,
    format,
  ]);
}
