import { Button, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconBed,
  IconBuildingHospital,
  IconChevronLeft,
  IconFileTypePdf,
  IconHistory,
  IconLock,
  IconPencil,
  IconPrinter,
  IconQrcode,
} from '@tabler/icons-react';
import { memo, Suspense, useState } from 'react';
import { useIntl } from 'react-intl';
import { Link } from 'react-router-dom';
import { useDownloadMutation } from '@/api/download';
import type { SheetView } from '@/api/generated';
import { withLaterTexts } from '@/i18n/messages';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { useSubmit } from '@/shared/forms/useSubmit';
import { fullName } from '@/shared/records/fullName';
import { areaPageOf } from '@/shared/records/sheetAddresses';
import { HelpButton } from '@/shared/ui/HelpButton';
import { lazyPart } from '@/shared/ui/lazyPart';
import type { MoreItem } from '@/shared/ui/OverflowMenu';
import { OverflowMenuButton } from '@/shared/ui/OverflowMenuButton';
import { usePrintForms } from '@/topics/printing/usePrintForms';
import { usePrintLabels } from '@/topics/printing/usePrintLabels';
import { PatientIdentity } from '@/topics/sheets/SheetBand';
import { useEarlierRooms } from '@/topics/sheets/useEarlierRooms';
import type { HeadProps } from './headProps';
import { Namesakes } from './Namesakes';
import classes from './SheetHead.module.css';
import { useCloseSheet } from './useCloseSheet';
import { useHeadMenu } from './useHeadMenu';
import { useOpenAccount } from './useOpenAccount';

const TransferDialog = lazyPart(withLaterTexts(() => import('./TransferDialog')));

interface Props extends HeadProps {
  sheet: SheetView;
}

/**
 * The page's sticky header: the patient, the sheet and its total.
 *
 * Memoised: typing below must not render it.
 */
export const SheetHead = memo(function SheetHead(props: Props) {
  const { sheet, lines, over, waiting, held, isStopped, onSend } = props;
  const { stale, onMend, onRecordAt, onRecord, usual } = props;
  const t = useText();
  const format = useFormat();
  const { formatRelativeTime } = useIntl();
  const mayEdit = useCan('sheets.edit') && !over;
  const mayAdd = useCan('details.add');
  const mayClose = useCan('sheets.close') && !over;
  const mayReadHistory = useCan('sheets.history');
  const mayIdentify = useCan('patients.save') && !over && sheet.patient.unidentified;
  const [unfolded, { toggle }] = useDisclosure();
  const { close, pending } = useCloseSheet(sheet, { onMend, onRecordAt, onRecord, onSend });
  const unsent = held + (isStopped ? waiting : 0);
  const sendsFirst = isStopped && waiting > 0;
  const [download] = useDownloadMutation();
  const { submit } = useSubmit();
  const earlier = useEarlierRooms(sheet);
  const [moving, setMoving] = useState(false);
  const { print, dialog } = usePrintLabels();
  const menu = useHeadMenu(props);
  const forms = usePrintForms();
  const openAccount = useOpenAccount(sheet);

  const days = (Date.parse(sheet.admission_date) - Date.parse(format.dayOf(new Date()))) / 86_400_000;
  const day = format.day(sheet.admission_date);
  const admitted = sheet.closed
    ? t('details.admittedOn', { day })
    : t('details.admitted', { day, ago: formatRelativeTime(days, 'day', { numeric: 'auto' }) });
  const history = `/consumption-sheets/${sheet.id}/history`;
  const report = () =>
    submit(() =>
      download({
        path: `/api/consumption-sheets/${sheet.id}/pdf`,
        query: {},
        fileName: `${t('sheets.reportFile', { id: sheet.id })}.pdf`,
      }),
    );
  const more: (MoreItem | false)[] = [
    mayClose && {
      label: t(sendsFirst ? 'outbox.sendAndClose' : 'sheets.close.action'),
      icon: IconLock,
      run: close,
      disabled: held > 0,
      onlyNarrow: true,
    },
    mayReadHistory && { label: t('sheets.history.title'), icon: IconHistory, to: history, onlyNarrow: true },
    ...menu.again,
    mayAdd && {
      label: t('area.title'),
      icon: IconBuildingHospital,
      to: areaPageOf({ id: sheet.room.area_id }),
    },
    mayEdit && { label: t('sheets.transfer'), icon: IconBed, run: () => setMoving(true) },
    mayEdit && { label: t('sheets.edit'), icon: IconPencil, to: `/consumption-sheets/${sheet.id}/edit` },
    !over && {
      label: t('labels.band'),
      icon: IconQrcode,
      run: () => print({ what: 'band', items: [{ id: sheet.patient_id, name: fullName(sheet.patient) }] }),
    },
    !over && {
      label: t('forms.print'),
      icon: IconPrinter,
      run: () => forms.print({ sheet: { id: sheet.id, name: fullName(sheet.patient) } }),
    },
    usual !== undefined &&
      usual.length > 0 && {
        label: t('labels.usual'),
        icon: IconPrinter,
        run: () => print({ what: 'product', items: usual }),
      },
    { label: t('sheets.account'), icon: IconPrinter, run: () => void openAccount() },
    { label: t('sheets.downloadReport'), icon: IconFileTypePdf, run: report },
    ...menu.page,
  ];
  return (
    <section className={classes.head} aria-label={t('sheets.patient')} data-unfolded={unfolded || undefined}>
      <div className={classes.who}>
        <Button
          className={classes.back}
          component={Link}
          to={sheet.closed ? '/consumption-sheets/closed' : '/consumption-sheets'}
          variant="subtle"
          aria-label={t('details.back')}
        >
          <IconChevronLeft size={20} className={classes.arrow} aria-hidden />
          <span className={classes.crumb}>{t('details.crumb')}</span>
        </Button>
        <span className={classes.step} aria-hidden>
          ›
        </span>
        <div className={classes.person}>
          <h2 className={classes.name}>{fullName(sheet.patient)}</h2>{' '}
          <PatientIdentity patient={sheet.patient} />
          {mayIdentify && (
            <Link
              to={`/patients/${sheet.patient_id}/identify`}
              state={{ from: `/consumption-sheet-details/${sheet.id}/consumption-details` }}
              className={classes.identify}
            >
              {t('unidentified.identify')}
            </Link>
          )}
          {!over && <Namesakes sheet={sheet} />}
        </div>
        <UnstyledButton
          className={classes.facts}
          onClick={toggle}
          aria-expanded={unfolded}
          title={unfolded ? undefined : t('details.moreAboutPatient')}
        >
          {earlier && <span className={classes.earlier}>{earlier}</span>}
          <b>{sheet.room.name}</b>
          <span>
            {[admitted, sheet.doctor, sheet.diagnosis].map((fact) => (fact ? ` · ${fact}` : '')).join('')}
          </span>
        </UnstyledButton>
      </div>
      <div className={classes.sums} data-stale={stale || undefined}>
        {sheet.total !== undefined && (
          <strong>
            <VisuallyHidden>{`${t('sheets.total')}: `}</VisuallyHidden>
            <span>{format.money(sheet.total)}</span>
          </strong>
        )}
        <span id="details-title" tabIndex={-1} data-landing>
          {t('sheets.recorded', { count: lines })}
        </span>
      </div>
      {unsent > 0 && <span className={classes.unsent}>{t('details.unsent', { count: unsent })}</span>}
      <div className={classes.actions}>
        {mayReadHistory && (
          <Button component={Link} to={history} variant="default" className={classes.action}>
            {t('sheets.history.title')}
          </Button>
        )}
        {mayClose && (
          <Button
            variant="default"
            className={classes.action}
            onClick={close}
            loading={pending}
            disabled={held > 0}
            aria-label={t(sendsFirst ? 'outbox.sendAndClose' : 'sheets.close.action')}
          >
            {t(sendsFirst ? 'outbox.sendAndCloseShort' : 'sheets.close.short')}
          </Button>
        )}
        <HelpButton className={`${classes.more} ${classes.help}`} />
        <OverflowMenuButton
          label={t('details.moreActions')}
          className={classes.more}
          items={more.filter((one) => one !== false)}
        />
      </div>
      {dialog}
      {forms.dialog}
      {moving && (
        <Suspense fallback={null}>
          <TransferDialog sheet={sheet} close={() => setMoving(false)} />
        </Suspense>
      )}
    </section>
  );
});
