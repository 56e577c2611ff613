import { Alert, Anchor, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { useReadPasswordLinkMutation } from '@/api/generated';
import { toProblem } from '@/api/problem';
import { PageLoader } from '@/components/ui/PageLoader';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { ChoosePasswordForm } from './ChoosePasswordForm';
import { RequestPasswordResetForm } from './RequestPasswordResetForm';
import classes from './session.module.css';

/** The target of password links, and the page to request one. */
export default function ResetPasswordPage() {
  const t = useText();
  const { token: sessionToken } = useSession();
  const token = useTokenFromUrl();
  const [refusal, setRefusal] = useState<string | null>(null);

  if (token && !refusal)
    return (
      <Frame title={t('reset.choose')}>
        <LinkForm token={token} onRefusal={setRefusal} />
      </Frame>
    );
  if (sessionToken && !refusal) return <Navigate to="/" replace />;
  return (
    <Frame title={t('reset.title')}>
      {refusal && (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      )}
      <RequestPasswordResetForm />
    </Frame>
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

/**
 * Take the link's secret out of the URL at once.
 *
 * URLs are stored in histories and may be seen by others.
 */
function useTokenFromUrl() {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [token] = useState(params.get('token'));
  const told = params.has('token');
  useEffect(() => {
    if (told) navigate(pathname, { replace: true });
  }, [told, pathname, navigate]);
  return token;
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  const t = useText();
  return (
    <Stack gap="md">
      <title>{`${title} · Consumo`}</title>
      <Title order={1}>{title}</Title>
      {children}
      <Anchor component={Link} to="/auth/login" className={classes.link}>
        {t('reset.backToSignIn')}
      </Anchor>
    </Stack>
  );
}
