import { Alert, Anchor, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import {
  type PaperCheckView,
  type PaperMonthView,
  useCheckDocumentQuery,
  type WholeSheetView,
} from '@/api/generated';
import { throwOnError, toProblem } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { fullName } from '@/shared/records/fullName';
import { accountOf, closedPageOf } from '@/shared/records/sheetAddresses';
import { DescriptionItem, DescriptionList } from '@/shared/ui/DescriptionList';
import { PageLoader } from '@/shared/ui/PageLoader';
import { toast } from '@/shared/ui/toast';
import { AccountChanges } from '../account/AccountChanges';
import { ConsumptionByDay } from './ConsumptionByDay';

/**
 * Compare the paper of a closed sheet or of an account with what is stored.
 *
 * The text of the paper's symbol is in the address: a scan of the paper opens this page.
 */
export default function PaperPage() {
  const t = useText();
  const [params, setParams] = useSearchParams();
  const asked = params.get('text')?.trim() ?? '';
  const { currentData, error, isFetching } = useCheckDocumentQuery(asked ? { text: asked } : skipToken, {
    refetchOnMountOrArgChange: true,
  });
  const problem = error && !isFetching ? toProblem(error) : undefined;
  const refusal = problem?.status === 422 ? problem.messages[0]?.text : undefined;
  if (error && !isFetching && !refusal) throwOnError({ error });
  return (
    <Stack gap="md">
      <PaperForm
        key={asked}
        asked={asked}
        refusal={refusal}
        isBusy={isFetching}
        onAsk={(text) => setParams(text ? { text } : {}, { replace: asked !== '' })}
      />
      {!asked && <Text c="dimmed">{t('paper.hint')}</Text>}
      {isFetching && <PageLoader />}
      {currentData?.closing && !isFetching && !error && (
        <PaperResult check={currentData} closing={currentData.closing} />
      )}
      {currentData?.month && !isFetching && !error && (
        <PaperOfMonth month={currentData.month} same={currentData.same} />
      )}
    </Stack>
  );
}

interface FormProps {
  asked: string;
  refusal: string | undefined;
  isBusy: boolean;
  onAsk: (text: string) => void;
}

function PaperForm({ asked, refusal, isBusy, onAsk }: FormProps) {
  const t = useText();
  const [text, setText] = useState(asked);
  function ask(event: FormEvent) {
    event.preventDefault();
    onAsk(text.trim());
  }
  return (
    <form onSubmit={ask} noValidate>
      <Group align="flex-end" gap="sm" maw="44rem">
        <TextInput
          flex="1 1 16rem"
          miw={0}
          style={{ overflowWrap: 'anywhere' }}
          label={t('paper.text')}
          value={text}
          error={refusal}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy} disabled={!text.trim()}>
          {t('paper.check')}
        </Button>
      </Group>
    </form>
  );
}

/** Whether the paper is the same as what is stored. */
function Verdict({ same }: { same: boolean }) {
  const t = useText();
  return (
    <Alert
      role="status"
      color={same ? 'petrol' : 'red'}
      icon={same ? <IconCircleCheck aria-hidden /> : <IconCircleX aria-hidden />}
    >
      <Text fw={700}>{t(same ? 'paper.same' : 'paper.different')}</Text>
      <Text size="sm">{t(same ? 'paper.sameHint' : 'paper.differentHint')}</Text>
    </Alert>
  );
}

/** Open the month of a paper that is the same; link to it if the paper is not. */
function PaperOfMonth({ month: { id, month }, same }: { month: PaperMonthView; same: boolean }) {
  const t = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const page = `/reports/months/${id}`;
  useEffect(() => {
    if (!same) return;
    toast.success(t('paper.same'));
    navigate(page, { replace: true });
  }, [same, page, navigate, t]);
  if (same) return <PageLoader />;
  return (
    <Stack gap="md">
      <Verdict same={false} />
      <Anchor component={Link} to={page}>
        {t('paper.month', { number: id, month: format.month(month) })}
      </Anchor>
    </Stack>
  );
}

interface ResultProps {
  check: PaperCheckView;
  closing: WholeSheetView;
}

function PaperResult({ check: { kind, turn, closed_at, same }, closing }: ResultProps) {
  const t = useText();
  const format = useFormat();
  const isAccount = kind === 'document';
  const { sheet, days, record_number, date_of_birth, total } = closing;
  const lines = days.flatMap(({ categories }) => categories.flatMap(({ details }) => details));
  return (
    <Stack gap="md">
      <Verdict same={same} />
      <Paper withBorder p="md" component="section" aria-label={t('sheets.patient')}>
        <Title order={2} fz="lg">
          {t(isAccount ? 'paper.account' : 'paper.version', { turn, moment: format.moment(closed_at) })}
        </Title>
        <DescriptionList>
          <DescriptionItem name={t('sheets.patient')}>{fullName(sheet.patient)}</DescriptionItem>
          <DescriptionItem name={t('person.recordNumber')}>{record_number}</DescriptionItem>
          <DescriptionItem name={t('person.dateOfBirth')}>
            {date_of_birth && format.day(date_of_birth)}
          </DescriptionItem>
          <DescriptionItem name={t('sheets.room')}>{sheet.room.name}</DescriptionItem>
          <DescriptionItem name={t('paper.lines')}>{format.quantity(closing.lines)}</DescriptionItem>
          {total !== undefined && (
            <DescriptionItem name={t('sheets.total')}>{format.money(total)}</DescriptionItem>
          )}
        </DescriptionList>
        <Anchor
          component={Link}
          to={isAccount ? `${accountOf(sheet)}?since=account-${turn}` : closedPageOf(sheet)}
        >
          {isAccount ? t('paper.seeAccount') : t('paper.sheet', { number: sheet.id })}
        </Anchor>
      </Paper>
      {isAccount && <AccountChanges sheetId={sheet.id} since={`account-${turn}`} />}
      {lines.length === 0 && <Text c="dimmed">{t('sheets.nothingRecorded')}</Text>}
      {lines.length > 0 && <ConsumptionByDay details={lines} total={total} />}
    </Stack>
  );
}
