import { Alert, Button, Checkbox, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconPrinter } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { FileReading } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { useUnsavedChangesPrompt } from '@/shared/forms/useUnsavedChangesPrompt';
import { ChosenFile } from './ChosenFile';
import { ImportKindSelect } from './FileLayout';
import { FileNotice } from './FileNotice';
import { FileProblems } from './FileProblems';
import { FileProgress } from './FileProgress';
import { ImportRows } from './ImportRows';
import type { ImportResult } from './importState';
import classes from './imports.module.css';
import { type ImportableNoun, nouns } from './nouns';
import { ReadingFields } from './ReadingFields';
import { UndoImportButton } from './UndoImportButton';
import { type FileImport, useFileImport } from './useFileImport';
import { useFocusedHeading } from './useFocusedHeading';

const leaving = { question: 'imports.leave.question', action: 'imports.leave.action' } as const;

/** Import a file: read it, check what it would do, then do it. */
export default function ImportFilePage() {
  const t = useText();
  const wanted = useSearchParams()[0].get('noun');
  const noun = wanted !== null && wanted in nouns ? (wanted as ImportableNoun) : undefined;
  const importing = useFileImport(noun);
  const { file, reading, problems, notice, again, doing, checked, done } = importing;
  const busy = doing !== null;
  const nothingToDo =
    checked && checked.report.created + checked.report.changed + checked.report.refused === 0;
  useUnsavedChangesPrompt(() => busy || (reading !== null && done === null && !nothingToDo), leaving);

  if (done && reading) {
    return <Result result={done} reading={reading} importing={importing} />;
  }
  return (
    <Stack gap="md" className={classes.page}>
      {noun && !file && (
        <Text>
          <span>{t('imports.into')}</span> <b>{t(nouns[noun].name)}</b>
        </Text>
      )}
      <ChosenFile
        file={file}
        rows={reading?.rows}
        disabled={busy}
        onChoose={importing.choose}
        onSeveral={importing.refuseSeveral}
      />
      <FileProblems problems={problems} again={again} />
      {notice && notice !== 'imports.changedMeanwhile' && <FileNotice notice={notice} again={again} />}
      {file && !reading && !busy && !again && problems.length === 0 && (
        <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
          <ImportKindSelect noun={undefined} guessed={false} onChange={importing.changeNoun} />
        </Paper>
      )}
      {reading && (
        <ReadingFields reading={reading} importing={importing} busy={busy}>
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
        </ReadingFields>
      )}
      {checked && doing !== 'reading' && <Checked result={checked} importing={importing} />}
      <FileProgress importing={importing} />
    </Stack>
  );
}

/** Show what the file would do; a person starts the import. */
function Checked({ result, importing }: { result: ImportResult; importing: FileImport }) {
  const t = useText();
  // A new check resets the confirmation.
  const [goodRowsOf, setGoodRowsOf] = useState<ImportResult | null>(null);
  const goodRows = goodRowsOf === result;
  const heading = useFocusedHeading(result);
  const { doing, leftOut, reading, notice } = importing;
  const { created, changed, refused } = result.report;
  const good = created + changed;
  const warnings = useMemo(() => result.rows.reduce((sum, row) => sum + row.warnings.length, 0), [result]);
  return (
    <Paper withBorder component="section" aria-labelledby="checked" className={classes.checked}>
      <Title order={2} id="checked" px="1.25rem" pt="md" ref={heading} tabIndex={-1}>
        {t(good > 0 ? 'imports.wouldDo' : refused > 0 ? 'imports.allRefused' : 'imports.nothingToDo')}
      </Title>
      {notice === 'imports.changedMeanwhile' && (
        <Alert
          color="yellow"
          mx="1.25rem"
          mt="sm"
          icon={<IconAlertTriangle aria-hidden />}
          classNames={{ icon: classes.warn }}
          role="alert"
        >
          {t(notice)}
        </Alert>
      )}
      <ImportRows
        result={result}
        columns={reading?.columns ?? []}
        importing={importing}
        leaving={{ leftOut, changeLeftOut: importing.changeLeftOut, disabled: doing !== null }}
      />
      <div className={classes.deciding}>
        {isDecidedOtherwise(result.leftOut, leftOut) ? (
          <CheckAgain importing={importing} />
        ) : (
          good > 0 && (
            <>
              {refused > 0 && (
                <Checkbox
                  checked={goodRows}
                  onChange={(event) => setGoodRowsOf(event.currentTarget.checked ? result : null)}
                  label={t('imports.goodRows', { refused })}
                />
              )}
              <Button
                classNames={{ root: classes.wrapped, label: classes.wrapped }}
                disabled={(refused > 0 && !goodRows) || doing !== null}
                onClick={() => importing.bringIn(refused > 0)}
              >
                {warnings > 0
                  ? t('imports.bringInWarned', { rows: good, warnings })
                  : t('imports.bringIn', { rows: good })}
              </Button>
            </>
          )
        )}
      </div>
    </Paper>
  );
}

const isDecidedOtherwise = (then: ReadonlySet<number>, now: ReadonlySet<number>) =>
  then.size !== now.size || [...now].some((line) => !then.has(line));

/**
 * Require another check after other rows were left out.
 *
 * Its outcome must be seen before the import.
 */
function CheckAgain({ importing }: { importing: FileImport }) {
  const t = useText();
  const { leftOut, leavesOutTooMany, doing } = importing;
  return (
    <>
      {leavesOutTooMany && (
        <Text size="sm" className={classes.tooMany} role="alert">
          {t('imports.leavesOutTooMany')}
        </Text>
      )}
      <Button variant="default" disabled={doing !== null} onClick={importing.resetLeftOut}>
        {t('action.cancel')}
      </Button>
      <Button
        classNames={{ root: classes.wrapped, label: classes.wrapped }}
        disabled={leavesOutTooMany || doing !== null}
        onClick={importing.check}
      >
        {leftOut.size > 0 ? t('imports.checkWithout', { rows: leftOut.size }) : t('imports.checkWithAll')}
      </Button>
    </>
  );
}

interface DoneProps {
  result: ImportResult;
  reading: FileReading;
  importing: FileImport;
}

/** Show what was imported, a link to it, and the button that undoes it. */
function Result({ result, reading, importing }: DoneProps) {
  const t = useText();
  const heading = useFocusedHeading(result);
  const { report } = result;
  const { name, list } = nouns[reading.noun as ImportableNoun];
  const fileName = importing.file?.name ?? '';
  return (
    <Stack gap="md" className={classes.page}>
      <Paper withBorder component="section" aria-labelledby="done" className={classes.checked}>
        <Title order={2} id="done" px="1.25rem" pt="md" ref={heading} tabIndex={-1}>
          {t(report.import_id === null ? 'imports.nothingToDo' : 'imports.done', { file: fileName })}
        </Title>
        <ImportRows result={result} columns={reading.columns} importing={importing} />
        <Group p="1.25rem" gap="md">
          {reading.noun === 'users' && report.import_id !== null && report.created > 0 && (
            <Button
              component={Link}
              to={`/users/cards?import=${report.import_id}`}
              leftSection={<IconPrinter size={20} aria-hidden />}
            >
              {t('users.cards.title')}
            </Button>
          )}
          <Button component={Link} to={list} variant={reading.noun === 'users' ? 'default' : 'filled'}>
            {t('imports.see', { what: t(name).toLocaleLowerCase() })}
          </Button>
          <Button variant="default" onClick={importing.startOver}>
            {t('imports.another')}
          </Button>
          <Button component={Link} to="/imports" variant="default">
            {t('imports.all')}
          </Button>
          {report.import_id !== null && (
            <UndoImportButton id={report.import_id} fileName={fileName} leadsTo="/imports" />
          )}
        </Group>
      </Paper>
    </Stack>
  );
}
