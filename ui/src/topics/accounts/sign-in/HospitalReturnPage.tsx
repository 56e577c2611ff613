import { Alert, Button, Stack, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useText } from '@/i18n/useText';
import { finishAtServer } from '@/session/hospitalAccount';
import { PageLoader } from '@/shared/ui/PageLoader';
import { toast } from '@/shared/ui/toast';
import { useAppDispatch } from '@/state/storeHooks';

interface Props {
  /** The query of the address to which the provider sent the browser. */
  query: string;
  /** Called with the address of the next page. */
  onDone: (path: string) => void;
}

/** Finish a sign-in, or linking the own account, when the browser comes back from the hospital's provider. */
export default function HospitalReturnPage({ query, onDone }: Props) {
  const t = useText();
  const dispatch = useAppDispatch();
  const [refused, setRefused] = useState<{ failure: string; next: string } | null>(null);
  const begun = useRef(false);

  useEffect(() => {
    if (begun.current) return; // the answer is valid once
    begun.current = true;
    finishAtServer(dispatch, query).then(({ links, failure }) => {
      const next = links ? '/users/account' : '/auth/login';
      if (failure !== null) return setRefused({ failure, next });
      toast.success(t(links ? 'users.updated' : 'session.welcome'), { autoClose: 1000 });
      onDone(next);
    });
  }, [dispatch, query, onDone, t]);

  if (!refused) return <PageLoader />;
  return (
    <Stack gap="md">
      <title>{`${t('session.title')} · Consumo`}</title>
      <Title order={1}>{t('session.title')}</Title>
      <Alert color="red" role="alert">
        {refused.failure}
      </Alert>
      <Button onClick={() => onDone(refused.next)}>{t('lockScreen.continue')}</Button>
    </Stack>
  );
}
