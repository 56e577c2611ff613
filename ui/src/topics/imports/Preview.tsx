import { NativeSelect, Paper, Text, Title } from '@mantine/core';
import type { FileField, FileReading, SampleRow } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { roleOf } from '@/topics/accounts/roles';
import { roomStatusLabels, roomTypeLabels } from '@/topics/catalogue/roomLabels';
import classes from './imports.module.css';
import { isInterpreted } from './nouns';
import type { FileImport } from './useFileImport';

interface Props extends Pick<FileImport, 'changeColumn'> {
  reading: FileReading;
}

/**
 * Show the first rows with their interpretation.
 *
 * Each column has a select for its field.
 */
export function Preview({ reading, changeColumn }: Props) {
  const t = useText();
  const { columns, fields, sample, rows } = reading;
  const fieldOf = (column: string) => fields.find((field) => field.column === column);
  return (
    <Paper withBorder className={classes.preview}>
      <Title order={2} id="preview" px="1.25rem" pt="md">
        {t('imports.preview')}
      </Title>
      <Text size="sm" c="dimmed" px="1.25rem" pb="sm">
        {t('imports.previewHint', { shown: sample.length, rows })}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it by its focus. */}
      <section className={classes.scrolled} aria-labelledby="preview" tabIndex={0}>
        <table className={classes.sample}>
          <thead>
            <tr>
              <th scope="col">{t('imports.line')}</th>
              {columns.map((column) => (
                <th key={column} scope="col" data-used={fieldOf(column) !== undefined || undefined}>
                  <span className={classes.column}>{column}</span>
                  <ColumnChoice
                    column={column}
                    fields={fields}
                    field={fieldOf(column)}
                    changeColumn={changeColumn}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sample.map((row) => (
              <tr key={row.line}>
                <th scope="row">{row.line}</th>
                {row.cells.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its index.
                  <td key={index} data-used={fieldOf(columns[index] ?? '') !== undefined || undefined}>
                    <span>{cell}</span>
                    {index === 0 && row.wrong[''] && <span className={classes.wrong}>{row.wrong['']}</span>}
                    <ParsedCell row={row} field={fieldOf(columns[index] ?? '')} cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Paper>
  );
}

interface ColumnProps extends Pick<FileImport, 'changeColumn'> {
  column: string;
  fields: FileField[];
  field: FileField | undefined;
}

function ColumnChoice({ column, fields, field, changeColumn }: ColumnProps) {
  const t = useText();
  return (
    <NativeSelect
      aria-label={t('imports.columnFills', { column })}
      data={[
        { value: '', label: t('imports.unused') },
        ...fields.map(({ name, label, needed }) => ({ value: name, label: needed ? `${label} *` : label })),
      ]}
      value={field?.name ?? ''}
      onChange={({ currentTarget: { value } }) =>
        value ? changeColumn(value, column) : field && changeColumn(field.name, '')
      }
    />
  );
}

/** Show how a cell is interpreted, if that differs from its text. */
function ParsedCell({ row, field, cell }: { row: SampleRow; field: FileField | undefined; cell: string }) {
  const t = useText();
  const format = useFormat();
  if (!field) return null;
  const wrong = row.wrong[field.name];
  if (wrong) return <span className={classes.wrong}>{wrong}</span>;
  const value = row.read[field.name];
  if (value === undefined || (!isInterpreted(field.kind) && value === cell)) return null;

  function inWords(text: string) {
    switch (field?.kind) {
      case 'number':
        return format.quantity(Number(text));
      case 'money':
        return format.money(Number(text));
      case 'day':
      case 'birthday':
        return format.day(text);
      case 'moment':
        return text.length > 10 ? `${format.day(text)} ${text.slice(11, 16)}` : format.day(text);
      case 'yes_or_no':
        return t(text === '1' ? 'audit.yes' : 'audit.no');
      case 'room_status':
        return t(roomStatusLabels[text] ?? 'rooms.available');
      case 'room_type':
        return t(roomTypeLabels[text] ?? 'rooms.single');
      case 'role':
        return t(roleOf(text).name);
      default:
        return text;
    }
  }
  return <span className={classes.read}>{inWords(value)}</span>;
}
