import { Alert } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { useReadPasswordLinkMutation } from '@/api/generated';
import { toProblem } from '@/api/problem';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { PageLoader } from '@/shared/ui/PageLoader';
import { ChoosePasswordForm } from './ChoosePasswordForm';
import { LinkPageFrame } from './LinkPageFrame';
import { RequestPasswordResetForm } from './RequestPasswordResetForm';
import { useTokenFromUrl } from './useTokenFromUrl';

/** The target of password links, and the page to request one. */
export default function ResetPasswordPage() {
  const t = useText();
  const { token: sessionToken } = useSession();
  const token = useTokenFromUrl();
  const [refusal, setRefusal] = useState<string | null>(null);

  if (token && !refusal)
    return (
      <LinkPageFrame title={t('reset.choose')}>
        <LinkForm token={token} onRefusal={setRefusal} />
      </LinkPageFrame>
    );
  if (sessionToken && !refusal) return <Navigate to="/" replace />;
  return (
    <LinkPageFrame title={t('reset.title')}>
      {refusal && (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      )}
      <RequestPasswordResetForm />
    </LinkPageFrame>
  );
}

/** Read for whom the link is, then show the form. */
function LinkForm({ token, onRefusal }: { token: string; onRefusal: (message: string) => void }) {
  const [read, { data, error }] = useReadPasswordLinkMutation();
  useEffect(() => {
    read({ linkToken: { token } });
  }, [read, token]);
  const spent = error && toProblem(error).messages.find(({ field }) => field === 'token')?.text;
  useEffect(() => {
    if (spent) onRefusal(spent);
  }, [spent, onRefusal]);
  if (spent || !(data || error)) return <PageLoader />;
  return <ChoosePasswordForm token={token} holder={data ?? null} onRefusal={onRefusal} />;
}
