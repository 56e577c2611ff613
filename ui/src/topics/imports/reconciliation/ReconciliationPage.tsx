import { Button, Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { type AreaView, useReadAreaQuery } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { DateField } from '@/shared/forms/DateField';
import { SearchSelect } from '@/shared/forms/SearchSelect';
import { useUnsavedChangesPrompt } from '@/shared/forms/useUnsavedChangesPrompt';
import { useAreas } from '@/topics/catalogue/useAreas';
import { ChosenFile } from '../ChosenFile';
import { FileNotice } from '../FileNotice';
import { FileProblems } from '../FileProblems';
import { FileProgress } from '../FileProgress';
import importClasses from '../imports.module.css';
import { ReadingFields } from '../ReadingFields';
import { Differences } from './Differences';
import classes from './reconciliation.module.css';
import { type Reconciling, useReconciliation } from './useReconciliation';

const leaving = { question: 'reconciliation.leave.question', action: 'reconciliation.leave.action' } as const;

/** Compare a store's file of what it handed out with what was recorded. */
export default function ReconciliationPage() {
  const t = useText();
  const reconciling = useReconciliation();
  const { importing, pending, shown } = reconciling;
  const { file, reading, problems, notice, again, doing } = importing;
  const busy = doing !== null || pending;
  useUnsavedChangesPrompt(() => reading !== null && shown === null, leaving);

  return (
    <Stack gap="md" className={importClasses.page}>
      <Text>{t('reconciliation.intro')}</Text>
      <ChosenFile
        file={file}
        rows={reading?.rows}
        disabled={busy}
        onChoose={importing.choose}
        onSeveral={importing.refuseSeveral}
        hint="reconciliation.dropHint"
      />
      <FileProblems problems={problems} again={again} />
      {notice && <FileNotice notice={notice} again={again} />}
      {reading && (
        <ReadingFields reading={reading} importing={importing} busy={busy}>
          <Scope reconciling={reconciling} />
        </ReadingFields>
      )}
      <FileProgress importing={importing} />
      <VisuallyHidden role="status">{pending && t('reconciliation.comparing')}</VisuallyHidden>
      {shown && doing === null && <Differences reconciling={reconciling} shown={shown} />}
    </Stack>
  );
}

/** Choose the area and the period, then compare. */
function Scope({ reconciling }: { reconciling: Reconciling }) {
  const t = useText();
  const { scope, changeScope, errorOf, hasColumn, importing, pending, problems } = reconciling;
  const area = useReadAreaQuery({ areaId: scope.areaId ?? 0 }, { skip: scope.areaId === undefined });
  const unanswered = (importing.reading?.unanswered ?? 0) > 0;
  const hasDays = hasColumn('handed_out_on');
  const hasAreas = hasColumn('area');
  return (
    <Paper withBorder component="section" p={{ base: 'md', sm: 'lg' }} aria-labelledby="scope">
      <Title order={2} id="scope" mb="sm">
        {t('reconciliation.scope')}
      </Title>
      <div className={importClasses.settings}>
        <SearchSelect<AreaView>
          label={t('reports.by.area')}
          description={t(hasAreas ? 'reconciliation.areaOptional' : 'reconciliation.areaNeeded')}
          required={!hasAreas}
          useFound={useAreas}
          nameOf={({ name }) => name}
          value={scope.areaId ?? null}
          valueName={area.currentData?.name}
          onChange={(id) => changeScope({ areaId: id ?? undefined })}
          inputWrapperOrder={['label', 'error', 'input', 'description']}
          error={errorOf('area_id')}
        />
        <DateField
          label={t('reports.from')}
          description={t(hasDays ? 'reconciliation.fromOptional' : 'reconciliation.dayNeeded')}
          required={!hasDays}
          value={scope.from ?? null}
          maxDate={scope.to}
          onChange={(day) => changeScope({ from: day ?? undefined })}
          inputWrapperOrder={['label', 'error', 'input', 'description']}
          error={errorOf('from')}
        />
        <DateField
          label={t('reports.to')}
          description={t(hasDays ? 'reconciliation.toOptional' : 'reconciliation.dayNeeded')}
          required={!hasDays}
          value={scope.to ?? null}
          minDate={scope.from}
          onChange={(day) => changeScope({ to: day ?? undefined })}
          inputWrapperOrder={['label', 'error', 'input', 'description']}
          error={errorOf('to')}
        />
      </div>
      <FileProblems problems={problems} again={null} />
      <Group justify="flex-end" gap="md" className={classes.comparing}>
        {unanswered && (
          <Text c="dimmed" size="sm">
            {t('imports.answerFirst')}
          </Text>
        )}
        <Button onClick={reconciling.compare} disabled={unanswered} loading={pending}>
          {t('reconciliation.compare')}
        </Button>
      </Group>
    </Paper>
  );
}
