import { Button } from '@mantine/core';
import type {
  DeviceOutboxView,
  DischargeView,
  ExpiringKeyView,
  LateSheetView,
  RecalledUseView,
  UnknownCodeView,
  UnlistedSheetView,
} from '@/api/generated';
import { useAcknowledgeRecalledUseMutation } from '@/api/generated';
import { lastMoment } from '@/i18n/lastMoment';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { detailsOf, lineOf, pageOf } from '@/shared/records/sheetAddresses';
import { useSheetName } from '@/shared/records/useSheetName';
import { systemName } from '@/topics/catalogue/codeSystems';
import { focusGroup } from './focusGroup';
import { Item } from './Item';
import { useJudgement } from './useJudgement';

/** The use of a recalled lot, until it is marked as seen. */
export function RecalledUseRow({ use }: { use: RecalledUseView }) {
  const t = useText();
  const format = useFormat();
  const sheetName = useSheetName();
  const [see] = useAcknowledgeRecalledUseMutation();
  const { submit, pending } = useSubmit();
  const {
    detail_id: detailId,
    consumption_sheet_id: id,
    product,
    patient,
    room,
    area,
    closed,
    lot,
    at,
    by,
  } = use;

  async function acknowledge() {
    const done = await submit(() => see({ detailId }));
    if (done.ok) focusGroup('recalled');
  }

  return (
    <Item
      to={lineOf({ id }, detailId)}
      patient={patient}
      area={area}
      room={room}
      closed={closed}
      since={[format.moment(at), by].join(' · ')}
      buttons={
        <Button
          variant="default"
          loading={pending}
          onClick={acknowledge}
          aria-label={t('worklist.seenOf', { product: nameAndCode(product), patient: sheetName(use) })}
        >
          {t('worklist.seen')}
        </Button>
      }
    >
      {[
        format.counted(use.quantity, nameAndCode(product)),
        lot && t('worklist.lot', { lot }),
        use.reason && t('worklist.recalledReason', { reason: use.reason }),
      ]
        .filter(Boolean)
        .join(' · ')}
    </Item>
  );
}

/** A sheet with late entries, which its page records or dismisses. */
export function LateEntriesRow({ late }: { late: LateSheetView }) {
  const t = useText();
  const format = useFormat();
  const { consumption_sheet_id: id, closed, patient, room, area, entries, since } = late;
  return (
    <Item to={pageOf({ id, closed })} {...{ patient, room, area, closed }}>
      {t('worklist.lateCount', { count: entries, since: format.moment(since) })}
    </Item>
  );
}

/** A sheet with open unlisted items, which its page settles. */
export function UnlistedItemsRow({ unlisted }: { unlisted: UnlistedSheetView }) {
  const t = useText();
  const format = useFormat();
  const { consumption_sheet_id: id, closed, patient, room, area, items, since } = unlisted;
  return (
    <Item to={pageOf({ id, closed })} {...{ patient, room, area, closed }}>
      {t('worklist.unlistedCount', { count: items, since: format.moment(since) })}
    </Item>
  );
}

/** An open sheet of a discharged patient. */
export function DischargeRow({ discharge }: { discharge: DischargeView }) {
  const t = useText();
  const format = useFormat();
  const { consumption_sheet_id: id, patient, room, at } = discharge;
  return (
    <Item to={detailsOf({ id })} patient={patient} room={room}>
      {t('worklist.discharge', { at: format.moment(at) })}
    </Item>
  );
}

/** A scanned code without a product. */
export function UnknownCodeRow({ code, onLink }: { code: UnknownCodeView; onLink: () => void }) {
  const t = useText();
  const format = useFormat();
  return (
    <Item
      to="/products/unknown-codes"
      buttons={
        <Button variant="default" onClick={onLink} aria-label={t('codes.linkOf', { code: code.code })}>
          {t('codes.link')}
        </Button>
      }
    >
      {t('worklist.code', {
        code: code.code,
        system: systemName(t, code.system),
        count: code.times,
        at: format.moment(code.last_at),
      })}
    </Item>
  );
}

/** A device whose lines are not on the server, and whose they are. */
export function UnsentLinesRow({ outbox }: { outbox: DeviceOutboxView }) {
  const t = useText();
  const format = useFormat();
  const { id, by, area, lines, oldest_at: oldest, reported_at: reported } = outbox;
  const { judge, pending } = useJudgement({ kind: 'lines_unsent', outboxId: id });
  return (
    <Item
      who={by}
      room={area ?? undefined}
      since={t('worklist.unsentReported', { at: format.moment(reported) })}
      buttons={
        <Button
          variant="default"
          loading={pending}
          onClick={judge}
          aria-label={t('worklist.rightOf', { what: by })}
        >
          {t('worklist.right')}
        </Button>
      }
    >
      {t('worklist.unsentCount', { count: lines, since: format.moment(oldest) })}
    </Item>
  );
}

export function HeldMessagesRow({ count }: { count: number }) {
  const t = useText();
  return <Item to="/messages">{t('worklist.heldMessages', { count })}</Item>;
}

export function OpenFormsRow({ count }: { count: number }) {
  const t = useText();
  return <Item to="/consumption-sheets/forms">{t('worklist.openForms', { count })}</Item>;
}

export function WithoutPriceRow({ count }: { count: number }) {
  const t = useText();
  return <Item to="/products?sort=price">{t('worklist.withoutPrice', { count })}</Item>;
}

/** A key of a program that expires soon, for users who can create keys. */
export function ExpiringKeyRow({ expiring }: { expiring: ExpiringKeyView }) {
  const t = useText();
  const format = useFormat();
  const { name, service_account: program, expires_at } = expiring;
  return (
    <Item to="/service-accounts">
      {t(Date.parse(expires_at) > Date.now() ? 'worklist.keyExpires' : 'worklist.keyExpired', {
        name,
        program,
        at: format.day(format.dayOf(lastMoment(expires_at))),
      })}
    </Item>
  );
}
