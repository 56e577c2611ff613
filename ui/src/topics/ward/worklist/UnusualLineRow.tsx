import { Button } from '@mantine/core';
import { useState } from 'react';
import { etag } from '@/api/etag';
import { type UnusualLineView, useCorrectDetailMutation } from '@/api/generated';
import { useLazyReadAreaSheetQuery, useLazyReadDetailQuery, useLazyReadSheetQuery } from '@/api/lazy';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { lineOf } from '@/shared/records/sheetAddresses';
import type { Subject } from '@/shared/records/subject';
import { toast } from '@/shared/ui/toast';
import { LineDialog } from '@/topics/sheets/lines/LineDialog';
import { type LineAction, toastIfGone } from '@/topics/sheets/lines/lineAction';
import { focusGroup } from './focusGroup';
import { Item } from './Item';
import { QuantityPlot } from './QuantityPlot';
import { useJudgement } from './useJudgement';

/** A line whose quantity is zero or far from the usual one. */
export function UnusualLineRow({ line }: { line: UnusualLineView }) {
  const t = useText();
  const format = useFormat();
  const { kind, detail_id: detailId, consumption_sheet_id: sheetId, sheet, area } = line;
  const { product, quantity, usual_quantity: usual, at, by } = line;
  const { judge, pending } = useJudgement({ kind, detailId });
  const [correctDetail] = useCorrectDetailMutation();
  const correction = useSubmit();
  const [voiding, setVoiding] = useState<{ action: LineAction; sheet: Subject } | null>(null);
  const opening = useSubmit();
  const [readDetail] = useLazyReadDetailQuery();
  const [readSheet] = useLazyReadSheetQuery();
  const [readAreaSheet] = useLazyReadAreaSheetQuery();
  const about = { what: format.counted(quantity, nameAndCode(product)) };

  async function correct() {
    if (usual === null) return;
    const done = await correction.submit(
      (key) =>
        correctDetail({
          detailId,
          'If-Match': etag(line),
          'Idempotency-Key': key,
          correctionDraft: { quantity: usual },
        }),
      { success: 'details.updated', onProblem: explain },
    );
    if (done.ok) focusGroup('lines');
  }

  /** Explain that the line was changed or voided meanwhile. */
  function explain(problem: Parameters<ReturnType<typeof toastIfGone>>[0]) {
    if (problem.status !== 412) return toastIfGone(t)(problem);
    toast.error(t('details.changed'));
    return true;
  }

  async function askToVoid() {
    const found = await opening.submit(() => readDetail({ detailId }), { onProblem: explain });
    if (!found.ok) return;
    const read = (): Promise<{ data?: Subject; error?: unknown }> =>
      (area ? readAreaSheet : readSheet)({ sheetId });
    const of = await opening.submit(read);
    if (of.ok) setVoiding({ action: { kind: 'void', details: [found.data] }, sheet: of.data });
  }

  function sentence() {
    const params = {
      product: nameAndCode(product),
      quantity: format.quantity(quantity),
      usual: format.quantity(usual ?? 0),
    };
    if (kind === 'quantity_zero') return t('worklist.zero', params);
    return t(usual === null ? 'worklist.farOutOfNone' : 'worklist.farOut', params);
  }

  return (
    <>
      <Item
        to={lineOf({ id: sheetId }, detailId)}
        patient={sheet?.patient}
        room={sheet?.room.name}
        area={area}
        since={[format.moment(at), by].join(' · ')}
        plot={<QuantityPlot quantity={quantity} latest={line.latest_quantities} />}
        buttons={
          <>
            <Button
              variant="default"
              loading={pending}
              onClick={judge}
              aria-label={t('worklist.rightOf', about)}
            >
              {t('worklist.right')}
            </Button>
            {usual !== null && (
              <Button
                variant="default"
                loading={correction.pending}
                onClick={correct}
                aria-label={t('worklist.correctOf', { ...about, usual: format.quantity(usual) })}
              >
                {t('worklist.correct', { usual: format.quantity(usual) })}
              </Button>
            )}
            <Button
              variant="subtle"
              color="red"
              loading={opening.pending}
              onClick={askToVoid}
              aria-label={t('worklist.voidOf', about)}
            >
              {t('worklist.void')}
            </Button>
          </>
        }
      >
        {sentence()}
      </Item>
      {voiding && (
        <LineDialog
          action={voiding.action}
          sheet={voiding.sheet}
          lines={voiding.action.details}
          onClose={() => setVoiding(null)}
          onAction={(action) => setVoiding({ ...voiding, action })}
          onSaved={() => setVoiding(null)}
          onGone={() => {
            setVoiding(null);
            focusGroup('lines');
          }}
        />
      )}
    </>
  );
}
