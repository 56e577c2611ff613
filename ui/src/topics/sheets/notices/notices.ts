import type { NoticeView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { detailsOf, lineOf, pageOf } from '@/shared/records/sheetAddresses';
import { useSheetName } from '@/shared/records/useSheetName';

/** Notices of lines that someone voided or moved at once. */
export interface NoticeGroup {
  first: NoticeView;
  notices: NoticeView[];
}

/** Group the notices of one action, keeping their order. */
export function groupNotices(notices: NoticeView[]): NoticeGroup[] {
  const groups = new Map<string, NoticeGroup>();
  for (const notice of notices) {
    const { id, kind, by, at, sheet, moved_from } = notice;
    const isShared = kind === 'voided' || kind === 'moved';
    const key = [kind, by, at, sheet.id, moved_from?.id, isShared || id].join(' ');
    const group = groups.get(key);
    if (group) group.notices.push(notice);
    else groups.set(key, { first: notice, notices: [notice] });
  }
  return [...groups.values()];
}

/** Return the address of the changed line, or of its sheet if the line was voided or the sheet is closed. */
export function addressOf({ kind, sheet, detail_id }: NoticeView) {
  if (sheet.closed) return pageOf(sheet);
  return kind === 'voided' ? detailsOf(sheet) : lineOf(sheet, detail_id);
}

/** Return functions that put notices into words. */
export function useNoticeTexts() {
  const t = useText();
  const format = useFormat();
  const sheetName = useSheetName();
  const nameOf = (product: NoticeView['product']) =>
    product ? nameAndCode(product) : t('notices.deletedProduct');
  const placeOf = (sheet: Pick<NoticeView['sheet'], 'patient' | 'room' | 'area'>) =>
    [sheetName(sheet), sheet.room].filter(Boolean).join(', ');
  const before = ({ quantity, product }: NoticeView) => format.counted(quantity, nameOf(product));
  const after = ({ new_quantity, new_product }: NoticeView) =>
    format.counted(new_quantity ?? 0, nameOf(new_product));

  function ofGroup({ first, notices }: NoticeGroup) {
    const { kind, by, sheet, moved_from, product, quantity, new_quantity } = first;
    const where = placeOf(sheet);
    const many = { by, where, count: notices.length, line: before(first) };
    switch (kind) {
      case 'voided':
        return t('notices.voided', many);
      case 'moved':
        return t('notices.moved', { ...many, from: moved_from ? placeOf(moved_from) : 'no' });
      case 'wasted':
        return t('notices.wasted', { by, what: after(first), where });
      case 'product_corrected':
        return t('notices.product', { by, before: before(first), after: after(first), where });
      default:
        return t(kind === 'returned' ? 'notices.returned' : 'notices.quantity', {
          by,
          product: nameOf(product),
          before: format.quantity(quantity),
          after: format.quantity(new_quantity ?? 0),
          where,
        });
    }
  }

  return { ofGroup, before, placeOf };
}
