import { Button, Loader, Stack } from '@mantine/core';
import { type MouseEvent, useState } from 'react';
import { useLookUpProductQuery } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { Dialog } from '@/shared/dialogs/Dialog';
import { fullName } from '@/shared/records/fullName';
import type { Question } from './useScanKeys';

/** Some scanners end a code with two keys; the second must not answer the question. In milliseconds. */
const GUARD_MS = 400;

/** Dialog that asks whether a text is a product code or for its field. */
export default function CodeQuestion({ question, onClose }: { question: Question; onClose: () => void }) {
  const t = useText();
  const { code, field, other, takeCode, takeText, leave } = question;
  const [openedAt] = useState(() => performance.now());
  const { currentData, isError } = useLookUpProductQuery({ scan: code, onlyTried: true });
  const products = currentData?.matches.map(({ product }) => product.name).join(' / ');
  const people = currentData?.people.map(fullName).join(' / ');
  const meaning =
    !products && people
      ? t('scan.isPatient', { patient: people })
      : t('scan.isCode', { product: products || code });
  const answer = (run: () => void) => () => {
    onClose();
    run();
  };
  const choose = (run: () => void) => (event: MouseEvent) => {
    const isKey = event.detail === 0;
    if (!isKey || event.timeStamp - openedAt >= GUARD_MS) answer(run)();
  };
  const text =
    other ?? (field.isNumber ? t('scan.isNumber', { field: field.label, code }) : t('scan.isText', { code }));
  return (
    <Dialog
      opened
      onClose={answer(leave)}
      title={t('scan.numberOrCode', { code })}
      closeOnClickOutside={false}
      // The queue itself waits for the answer.
      holdsScans={null}
      returnFocus={false}
    >
      <Stack gap="sm">
        <Button variant="default" size="md" data-autofocus onClick={choose(takeText)}>
          {text}
        </Button>
        <Button variant="default" size="md" onClick={choose(takeCode)} disabled={!currentData && !isError}>
          {currentData || isError ? meaning : <Loader size="xs" />}
        </Button>
      </Stack>
    </Dialog>
  );
}
