import { Alert, Button, Group, NativeSelect, Stack } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import type { FileReading } from '@/api/generated';
import { useText } from '@/i18n/useText';
import classes from './imports.module.css';
import type { FileImport } from './useFileImport';

interface Props extends Pick<FileImport, 'changeSetting' | 'changeColumn'> {
  reading: FileReading;
}

/**
 * Ask what cannot be detected in the file.
 *
 * Nothing is imported before the answers.
 */
export function OpenQuestions({ reading, changeSetting, changeColumn }: Props) {
  const t = useText();
  if (reading.unanswered === 0) return null;
  return (
    <Alert
      color="yellow"
      icon={<IconHelpCircle aria-hidden />}
      title={t('imports.questions', { count: reading.unanswered })}
      classNames={{ root: classes.questions, title: classes.warn, icon: classes.warn }}
    >
      <Stack gap="md">
        {reading.settings.map(
          ({ about, question, suggestion, options }) =>
            question && (
              <AskedQuestion
                key={about}
                question={question}
                options={options}
                suggestion={options.find(({ value }) => value === suggestion)}
                onAnswer={(value) => changeSetting(about, value)}
              />
            ),
        )}
        {reading.fields.map(
          ({ name, question, suggestion, options }) =>
            question && (
              <AskedQuestion
                key={name}
                question={question}
                options={options.map((column) => ({ value: column, label: column }))}
                suggestion={suggestion === null ? undefined : { value: suggestion, label: suggestion }}
                onAnswer={(column) => changeColumn(name, column)}
              />
            ),
        )}
      </Stack>
    </Alert>
  );
}

interface Option {
  value: string;
  label: string;
}

interface AskedProps {
  question: string;
  options: Option[];
  suggestion: Option | undefined;
  onAnswer: (value: string) => void;
}

function AskedQuestion({ question, options, suggestion, onAnswer }: AskedProps) {
  const t = useText();
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        className={classes.question}
        label={question}
        data={[{ value: '', label: t('imports.answer'), disabled: true }, ...options]}
        value=""
        onChange={(event) => onAnswer(event.currentTarget.value)}
      />
      {suggestion && (
        <Button
          variant="default"
          classNames={{ root: classes.wrapped, label: classes.wrapped }}
          onClick={() => onAnswer(suggestion.value)}
        >
          {t('imports.suggestion', { suggestion: suggestion.label })}
        </Button>
      )}
    </Group>
  );
}
