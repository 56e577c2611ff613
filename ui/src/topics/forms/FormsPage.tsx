import { Alert, Anchor, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { IconFileOff, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { type FormState, useListFormsQuery } from '@/api/generated';
import { throwOnError } from '@/api/problem';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useCan } from '@/session/useCan';
import { ListTabs } from '@/shared/lists/ListTabs';
import { useListState } from '@/shared/lists/useListState';
import { fullName } from '@/shared/records/fullName';
import { EmptyState } from '@/shared/ui/EmptyState';
import { PageLoader } from '@/shared/ui/PageLoader';
import { usePrintForms } from '@/topics/printing/usePrintForms';
import { DiscardFormButton } from './DiscardFormButton';
import classes from './FormPage.module.css';

const STATES = ['open', 'standby', 'recorded', 'discarded'] as const;
const isState = (text: string | undefined): text is FormState => STATES.some((state) => state === text);

/** List contingency forms: those that did not come back, and the others by state. */
export default function FormsPage() {
  const t = useText();
  const format = useFormat();
  const list = useListState();
  const { print, dialog } = usePrintForms();
  const mayDiscard = useCan('late_entries.manage');
  const wanted = list.filter('state');
  const state = isState(wanted) ? wanted : 'open';
  const read = useListFormsQuery({ state }, { refetchOnMountOrArgChange: true });
  throwOnError(read);
  const forms = read.currentData;
  return (
    <Stack gap="md">
      <ListTabs
        label="forms.lists"
        lists={[
          { to: '/consumption-sheets/forms', label: 'forms.open', here: state === 'open' },
          {
            to: '/consumption-sheets/forms?state=standby',
            label: 'forms.standby',
            here: state === 'standby',
          },
          {
            to: '/consumption-sheets/forms?state=recorded',
            label: 'forms.recorded',
            here: state === 'recorded',
          },
          {
            to: '/consumption-sheets/forms?state=discarded',
            label: 'forms.discardedOnes',
            here: state === 'discarded',
          },
        ]}
      />
      <Group align="flex-end" justify="space-between">
        <GoToForm />
        <Button leftSection={<IconPrinter size={20} aria-hidden />} onClick={() => print({})}>
          {t('forms.print')}
        </Button>
      </Group>
      {!forms && <PageLoader />}
      {forms?.count === 0 && (
        <EmptyState icon={<IconFileOff size={40} stroke={1.25} aria-hidden />} title={t('forms.none')} />
      )}
      {forms && forms.count > 0 && (
        <Paper withBorder p="md">
          {state === 'open' && <Text c="dimmed">{t('forms.openHint')}</Text>}
          {state === 'standby' && <Text c="dimmed">{t('forms.standbyHint')}</Text>}
          <ul className={classes.lines}>
            {forms.items.map((form) => (
              <li key={form.number}>
                <Group justify="space-between" py="xs">
                  <div>
                    <Anchor component={Link} to={`/consumption-sheets/forms/${form.number}`} fw={600}>
                      {t('forms.one', { number: form.number })}
                    </Anchor>
                    <Text size="sm">
                      {[
                        form.sheet ? fullName(form.sheet.patient) : t('forms.blankOne'),
                        form.sheet?.room,
                        form.area,
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {t('forms.printed', { at: format.moment(form.printed_at) })}
                    </Text>
                  </div>
                  {mayDiscard && (state === 'open' || state === 'standby') && (
                    <DiscardFormButton form={form} />
                  )}
                </Group>
              </li>
            ))}
          </ul>
        </Paper>
      )}
      {forms && forms.count > forms.items.length && (
        <Alert color="yellow">{t('forms.more', { count: forms.count - forms.items.length })}</Alert>
      )}
      {dialog}
    </Stack>
  );
}

/** Open a form by the number on the paper, for symbols that no scanner reads. */
function GoToForm() {
  const t = useText();
  const navigate = useNavigate();
  const [number, setNumber] = useState('');
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (/^[0-9]{1,9}$/.test(number.trim())) navigate(`/consumption-sheets/forms/${number.trim()}`);
      }}
    >
      <Group align="flex-end" gap="sm">
        <TextInput
          label={t('forms.number')}
          inputMode="numeric"
          value={number}
          onChange={({ currentTarget: { value } }) => setNumber(value)}
        />
        <Button type="submit" variant="default">
          {t('forms.go')}
        </Button>
      </Group>
    </form>
  );
}
