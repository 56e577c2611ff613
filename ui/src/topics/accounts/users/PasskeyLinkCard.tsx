import type { Link } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { OneTimeSecret } from '@/shared/forms/OneTimeSecret';

interface Props {
  link: Link;
  /** The email of the account. */
  email: string;
  onDone: () => void;
}

const leaving = { question: 'users.link.leave.question', action: 'users.link.leave.action' } as const;

/** Show a personal link for registering a passkey. */
export function PasskeyLinkCard({ link, email, onDone }: Props) {
  const t = useText();
  const format = useFormat();
  return (
    <OneTimeSecret
      title={t('passkeys.lost.title', { email })}
      use={
        <>
          <span>{t('passkeys.lost.use', { at: format.moment(link.expires_at) })}</span>{' '}
          <strong>{t('users.link.once')}</strong>
        </>
      }
      label="passkeys.lost.label"
      value={link.url}
      copy="users.link.copy"
      note="passkeys.lost.note"
      leaving={leaving}
      onDone={onDone}
    />
  );
}
