import { Button, Checkbox, Group, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import { useText } from '@/i18n/useText';
import importClasses from '../imports.module.css';
import classes from './reconciliation.module.css';
import { MAX_LEFT_OUT, type Reconciling } from './useReconciliation';

/** The number of rows shown at first: the differences are below. */
const FEW = 5;

interface Props {
  reconciling: Reconciling;
  shown: NonNullable<Reconciling['shown']>;
}

/** Show the rows of the file to check. Those that count can be left out. */
export function DoubtfulRows({ reconciling, shown }: Props) {
  const t = useText();
  const { doubts, all_doubts } = shown.answer;
  const { leftOut, leaveOut, isDecidedOtherwise, compare, takeAllBack, pending } = reconciling;
  const [openOf, setOpenOf] = useState<unknown>(null);
  const listed = openOf === shown.answer || doubts.length <= FEW + 1 ? doubts : doubts.slice(0, FEW);
  const before = [...shown.leftOut.keys()].sort((one, other) => one - other);
  if (doubts.length === 0 && before.length === 0) return null;
  return (
    <section className={classes.doubts} aria-labelledby="doubts">
      <Title order={3} id="doubts" className={classes.doubtsTitle}>
        <IconAlertTriangle size={20} aria-hidden />
        <span>{t('reconciliation.doubts', { rows: all_doubts })}</span>
      </Title>
      <ul className={classes.rows}>
        {listed.map((row) => (
          <li key={row.line}>
            <div className={classes.said}>
              <Text fw={600} size="sm">
                <span>{t('imports.line')}</span> <span>{row.line}</span>
              </Text>
              {row.messages.map((message) => (
                <Text key={message} size="sm">
                  {message}
                </Text>
              ))}
            </div>
            {row.counts ? (
              <Checkbox
                className={classes.leaveOut}
                label={t('imports.leaveOut')}
                aria-label={t('imports.leaveOutLine', { line: row.line })}
                checked={leftOut.has(row.line)}
                disabled={pending || (leftOut.size >= MAX_LEFT_OUT && !leftOut.has(row.line))}
                onChange={(event) => leaveOut(row, event.currentTarget.checked)}
              />
            ) : (
              <span className={classes.notCounted}>
                <IconBan size={18} aria-hidden />
                <span>{t('reconciliation.notCounted')}</span>
              </span>
            )}
          </li>
        ))}
      </ul>
      {listed.length < doubts.length && (
        <Button variant="default" onClick={() => setOpenOf(shown.answer)}>
          {t('reconciliation.allDoubts', { rows: doubts.length })}
        </Button>
      )}
      {listed.length === doubts.length && all_doubts > doubts.length && (
        <Text size="sm">{t('reconciliation.moreDoubts', { shown: doubts.length })}</Text>
      )}
      {before.length > 0 && (
        <Text size="sm">{t('reconciliation.leftOutLines', { lines: before.join(', ') })}</Text>
      )}
      <Group gap="sm" mt="sm">
        {isDecidedOtherwise && (
          <Button
            classNames={{ root: importClasses.wrapped, label: importClasses.wrapped }}
            loading={pending}
            onClick={compare}
          >
            {leftOut.size > 0
              ? t('reconciliation.compareWithout', { rows: leftOut.size })
              : t('reconciliation.compareWithAll')}
          </Button>
        )}
        {before.length > 0 && leftOut.size > 0 && (
          <Button variant="default" disabled={pending} onClick={takeAllBack}>
            {t('reconciliation.takeBack')}
          </Button>
        )}
      </Group>
    </section>
  );
}
