import { Alert, Button, Checkbox, Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/InlineInput.css';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { FileReading, ImportReport } from '@/api/generated';
import { useLeaveGuard } from '@/components/useLeaveGuard';
import { useText } from '@/i18n/useText';
import { ChosenFile } from './ChosenFile';
import { HowItIsRead, NounChoice } from './HowItIsRead';
import classes from './imports.module.css';
import { nouns } from './nouns';
import { OpenQuestions } from './OpenQuestions';
import { Preview } from './Preview';
import { RefusedRowsButton } from './RefusedRowsButton';
import { RowsTold } from './RowsTold';
import { UndoImportButton } from './UndoImportButton';
import { type FileImport, useFileImport } from './useFileImport';

const leaving = { question: 'imports.leave.question', action: 'imports.leave.action' } as const;

/** From a file to what it brings: how it is read, what it would do, and then doing it. */
export function ImportFilePage() {
  const t = useText();
  const importing = useFileImport();
  const { file, reading, problems, doing, checked, done } = importing;
  const busy = doing !== null;
  const nothingToDo = checked && checked.created + checked.changed + checked.refused === 0;
  useLeaveGuard(() => busy || (reading !== null && done === null && !nothingToDo), leaving);

  if (done && reading) {
    return <Done report={done} reading={reading} importing={importing} />;
  }
  return (
    <Stack gap="md" className={classes.page}>
      <ChosenFile
        file={file}
        rows={reading?.rows}
        disabled={busy}
        onChoose={importing.choose}
        onSeveral={importing.refuseSeveral}
      />
      {problems.length > 0 && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {problems.map((problem) => (
            <Text key={problem}>{problem}</Text>
          ))}
        </Alert>
      )}
      {file && !reading && !busy && problems.length === 0 && (
        <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
          <NounChoice noun={undefined} guessed={false} onChange={importing.changeNoun} />
        </Paper>
      )}
      {reading && (
        // What is being worked on is not changed meanwhile.
        <fieldset className={classes.choices} disabled={busy} aria-busy={busy}>
          <legend>
            <VisuallyHidden>{t('imports.how')}</VisuallyHidden>
          </legend>
          <Stack gap="md">
            <OpenQuestions
              reading={reading}
              changeSetting={importing.changeSetting}
              changeColumn={importing.changeColumn}
            />
            <HowItIsRead
              reading={reading}
              guessed={importing.guessed}
              changeNoun={importing.changeNoun}
              changeSetting={importing.changeSetting}
            />
            <Preview reading={reading} changeColumn={importing.changeColumn} />
            {!checked && (
              <Group justify="flex-end" gap="md">
                <Text c="dimmed" size="sm">
                  {t(reading.unanswered > 0 ? 'imports.answerFirst' : 'imports.checkHint')}
                </Text>
                <Button onClick={importing.check} disabled={reading.unanswered > 0}>
                  {t('imports.check')}
                </Button>
              </Group>
            )}
          </Stack>
        </fieldset>
      )}
      {checked && doing !== 'reading' && <Checked report={checked} importing={importing} />}
      <Doing importing={importing} />
    </Stack>
  );
}

/** What the server is doing with the file, and how far it is. */
function Doing({ importing: { doing, progress, stop } }: { importing: FileImport }) {
  const t = useText();
  const counted = progress && progress.total > 0 ? progress : null;
  const saying =
    doing === 'reading'
      ? t('imports.reading')
      : doing === 'checking'
        ? t('imports.checking')
        : t('imports.importing');
  return (
    <>
      <VisuallyHidden role="status">{doing && saying}</VisuallyHidden>
      {doing && (
        <Paper withBorder p="md" className={classes.doing}>
          <Text fw={600} aria-hidden>
            {saying}
          </Text>
          <progress aria-label={saying} {...(counted && { value: counted.done, max: counted.total })} />
          <Text size="sm" c="dimmed">
            {counted ? t('imports.progress', { ...counted }) : t('imports.sending')}
          </Text>
          {doing === 'checking' && (
            <Button variant="default" onClick={stop}>
              {t('action.cancel')}
            </Button>
          )}
        </Paper>
      )}
    </>
  );
}

/** What the file would do; it is done when a person says so. */
function Checked({ report, importing }: { report: ImportReport; importing: FileImport }) {
  const t = useText();
  const [goodRows, setGoodRows] = useState(false);
  const heading = useHeading(report);
  const { doing } = importing;
  const { created, changed, refused } = report;
  const good = created + changed;
  return (
    <Paper withBorder component="section" aria-labelledby="checked" className={classes.checked}>
      <Title order={2} id="checked" px="1.25rem" pt="md" ref={heading} tabIndex={-1}>
        {t(good > 0 ? 'imports.wouldDo' : refused > 0 ? 'imports.allRefused' : 'imports.nothingToDo')}
      </Title>
      <RowsTold report={report} />
      <Group p="1.25rem" gap="md" justify="flex-end">
        {refused > 0 && <RefusedRowsButton refused={refused} importing={importing} />}
        {refused > 0 && good > 0 && (
          <Checkbox
            checked={goodRows}
            onChange={(event) => setGoodRows(event.currentTarget.checked)}
            label={t('imports.goodRows', { refused })}
          />
        )}
        {good > 0 && (
          <Button
            disabled={(refused > 0 && !goodRows) || doing !== null}
            onClick={() => importing.bringIn(refused > 0)}
          >
            {t('imports.bringIn', { rows: good })}
          </Button>
        )}
      </Group>
    </Paper>
  );
}

interface DoneProps {
  report: ImportReport;
  reading: FileReading;
  importing: FileImport;
}

/** What was brought in, where it is now, and how it is taken back. */
function Done({ report, reading, importing }: DoneProps) {
  const t = useText();
  const heading = useHeading(report);
  const { name, list } = nouns[reading.noun];
  const fileName = importing.file?.name ?? '';
  return (
    <Stack gap="md" className={classes.page}>
      <Paper withBorder component="section" aria-labelledby="done" className={classes.checked}>
        <Title order={2} id="done" px="1.25rem" pt="md" ref={heading} tabIndex={-1}>
          {t(report.import_id === null ? 'imports.nothingToDo' : 'imports.done', { file: fileName })}
        </Title>
        <RowsTold report={report} />
        <Group p="1.25rem" gap="md">
          <Button component={Link} to={list}>
            {t('imports.see', { what: t(name).toLocaleLowerCase() })}
          </Button>
          <Button variant="default" onClick={importing.startOver}>
            {t('imports.another')}
          </Button>
          <Button component={Link} to="/imports" variant="default">
            {t('imports.all')}
          </Button>
          {report.refused > 0 && <RefusedRowsButton refused={report.refused} importing={importing} />}
          {report.import_id !== null && (
            <UndoImportButton id={report.import_id} fileName={fileName} leadsTo="/imports" />
          )}
        </Group>
      </Paper>
    </Stack>
  );
}

/** A heading that is gone to when it appears: what was waited for is there. */
function useHeading(what: unknown) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is gone to whenever that is another.
  useEffect(() => {
    heading.current?.focus();
    heading.current?.scrollIntoView({ block: 'start' });
  }, [what]);
  return heading;
}
