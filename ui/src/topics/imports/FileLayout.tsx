import { NativeSelect, Paper, Text, Title } from '@mantine/core';
import type { FileReading, FileSetting, Noun } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useText } from '@/i18n/useText';
import classes from './imports.module.css';
import { nouns } from './nouns';
import type { FileImport } from './useFileImport';

const names: Record<FileSetting['about'], MessageId> = {
  sheet: 'imports.sheet',
  encoding: 'imports.encoding',
  separator: 'imports.separator',
  header_row: 'imports.headerRow',
  decimal: 'imports.decimal',
  dates: 'imports.dates',
};

interface NounProps {
  noun: Noun | undefined;
  /** Whether the noun was detected rather than chosen. */
  guessed: boolean;
  onChange: (noun: Noun) => void;
}

/**
 * Choose the kind of the rows.
 *
 * The initial one is detected from the columns.
 */
export function ImportKindSelect({ noun, guessed, onChange }: NounProps) {
  const t = useText();
  return (
    <NativeSelect
      className={classes.setting}
      label={t('imports.noun')}
      description={t(!noun ? 'imports.nounUnknown' : guessed ? 'imports.nounFound' : 'imports.nounChosen')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[
        ...(noun ? [] : [{ value: '', label: t('imports.answer'), disabled: true }]),
        ...Object.entries(nouns).map(([value, { name }]) => ({ value, label: t(name) })),
      ]}
      value={noun ?? ''}
      onChange={(event) => onChange(event.currentTarget.value as Noun)}
    />
  );
}

interface Props extends Pick<FileImport, 'guessed' | 'changeNoun' | 'changeSetting'> {
  reading: FileReading;
}

/**
 * Show the detected layout of the file.
 *
 * Each part has its reason and alternatives.
 */
export function FileLayout({ reading, guessed, changeNoun, changeSetting }: Props) {
  const t = useText();
  const reasons = [...reading.notes, ...reading.fields.flatMap(({ reason }) => reason ?? [])];
  return (
    <Paper withBorder component="section" p={{ base: 'md', sm: 'lg' }} aria-labelledby="how-it-is-read">
      <Title order={2} id="how-it-is-read" mb="sm">
        {t('imports.how')}
      </Title>
      <div className={classes.settings}>
        {reading.noun !== 'handed_out' && (
          <ImportKindSelect noun={reading.noun} guessed={guessed} onChange={changeNoun} />
        )}
        {reading.settings.map(
          ({ about, value, reason, question, options }) =>
            !question && (
              <NativeSelect
                key={about}
                className={classes.setting}
                label={t(names[about])}
                description={reason}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                data={withValue(options, value)}
                value={value ?? ''}
                onChange={(event) => changeSetting(about, event.currentTarget.value)}
              />
            ),
        )}
      </div>
      {reasons.length > 0 && (
        <details className={classes.reasons}>
          <summary>{t('imports.reasons')}</summary>
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>
                <Text size="sm">{reason}</Text>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Paper>
  );
}

/**
 * Add a value that is missing in the options.
 *
 * A header may be below the offered lines.
 */
function withValue(options: FileSetting['options'], value: string | null) {
  return value === null || options.some((one) => one.value === value)
    ? options
    : [{ value, label: value }, ...options];
}
