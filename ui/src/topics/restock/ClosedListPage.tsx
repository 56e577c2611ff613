import { Button, Paper, Text, Title } from '@mantine/core';
import { IconFileSpreadsheet, IconPrinter } from '@tabler/icons-react';
import { Link, useParams } from 'react-router-dom';
import { useDownloadMutation } from '@/api/download';
import { type ClosedLineView, useReadRestockListQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { DownloadReportButton } from '@/shared/forms/DownloadReportButton';
import { useSubmit } from '@/shared/forms/useSubmit';
import { PageLoader } from '@/shared/ui/PageLoader';
import classes from './restock.module.css';

/** A closed list: what was put back, by whom and when. It can be printed and downloaded. */
export default function ClosedListPage() {
  const restockListId = Number(useParams().id);
  const t = useText();
  const format = useFormat();
  const [download] = useDownloadMutation();
  const printing = useSubmit();
  const saving = useSubmit();
  const read = useReadRestockListQuery({ restockListId });
  throwOnError(read);
  const list = read.currentData;
  if (!list) return <PageLoader />;
  const path = `/api/restock-lists/${restockListId}`;
  const name = `restock-${restockListId}`;
  return (
    <div className={classes.page}>
      <div>
        <Title order={2} size="h3">
          {[list.area, t('restock.listNumber', { number: list.number })].join(' · ')}
        </Title>
        <Text>{t('restock.closedBy', { at: format.moment(list.closed_at), by: list.by })}</Text>
        <Text c="dimmed">
          {[
            t('restock.lines', { count: list.lines }),
            list.left_over > 0 && t('restock.leftOver', { count: list.left_over }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      <div className={classes.head}>
        <Button
          leftSection={<IconPrinter size={20} aria-hidden />}
          loading={printing.pending}
          onClick={() =>
            printing.submit(() =>
              download({ path: `${path}/pdf`, query: {}, fileName: `${name}.pdf`, prints: true }),
            )
          }
        >
          {t('action.print')}
        </Button>
        <DownloadReportButton path={`${path}/pdf`} name={name} />
        <Button
          variant="default"
          leftSection={<IconFileSpreadsheet size={20} aria-hidden />}
          loading={saving.pending}
          onClick={() =>
            saving.submit(() => download({ path: `${path}/xlsx`, query: {}, fileName: `${name}.xlsx` }))
          }
        >
          {t('restock.workbook')}
        </Button>
        <Button component={Link} to={`/restock?area=${list.area_id}`} variant="default">
          {t('restock.toOpen')}
        </Button>
      </div>
      <Paper withBorder component="ul" className={classes.list}>
        {list.items.map((line) => (
          <ClosedRow key={line.product.id} line={line} />
        ))}
      </Paper>
    </div>
  );
}

function ClosedRow({ line }: { line: ClosedLineView }) {
  const t = useText();
  const format = useFormat();
  const { product, shelf, quantity, put_back: amount, by, at } = line;
  const isPutBack = amount > 0;
  const notes = [
    shelf && t('restock.shelf', { shelf }),
    product.code,
    (!isPutBack || amount !== quantity) && t('restock.used', { quantity: format.quantity(quantity) }),
    isPutBack
      ? t('restock.tickedBy', { by: by ?? '', time: at ? format.moment(at) : '' })
      : t('restock.notPutBack'),
  ];
  return (
    <li className={classes.row}>
      <div className={`${classes.line} ${classes.still}`}>
        <span>
          <span className={classes.name}>{product.name}</span>
          <span className={classes.note}>{notes.filter(Boolean).join(' · ')}</span>
        </span>
        <span className={classes.amount}>
          <span>{format.quantity(amount)}</span>
          <small>{product.unit}</small>
        </span>
      </div>
    </li>
  );
}
