import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useText } from '@/i18n/useText';
import { leaveScreen } from '@/session/leaving';
import { useSession } from '@/session/session';
import { useAppDispatch } from '@/state/storeHooks';

/**
 * Hand the screen to another user.
 *
 * Unsent entries stay with the user who entered them.
 */
export function LeaveScreen({ email }: { email: string }) {
  const t = useText();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { user } = useSession();
  const [pending, setPending] = useState(false);
  const [isRefused, setIsRefused] = useState(false);

  async function leave() {
    setPending(true);
    setIsRefused(false);
    const isLeft = await dispatch(leaveScreen(pathname + search, () => navigate('/')));
    setPending(false);
    setIsRefused(!isLeft);
  }

  const button = (
    <Button variant="default" loading={pending} onClick={leave}>
      {t('unlock.other')}
    </Button>
  );
  if (user?.quick_unlock)
    return (
      <>
        {isRefused && <Text role="alert">{t('unlock.offline')}</Text>}
        {button}
      </>
    );
  return (
    <Alert color="gray">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t('lockScreen.otherHint', { email })}</Text>
        {button}
      </Stack>
    </Alert>
  );
}
