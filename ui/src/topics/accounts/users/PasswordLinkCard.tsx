import type { Link } from '@/api/generated';
import type { MessageId } from '@/i18n/language';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { OneTimeSecret } from '@/shared/forms/OneTimeSecret';
import { InvitationCard } from './InvitationCard';

interface Props {
  link: Link;
  /** The email of the account. */
  email: string;
  /** A further note about the link. */
  note: MessageId;
  onDone: () => void;
}

const leaving = { question: 'users.link.leave.question', action: 'users.link.leave.action' } as const;

/** Show a personal link for choosing a password. */
export function PasswordLinkCard({ link, email, note, onDone }: Props) {
  const t = useText();
  const format = useFormat();
  return (
    <OneTimeSecret
      title={t('users.link.title', { email })}
      use={
        <>
          <span>{t('users.link.use', { at: format.moment(link.expires_at) })}</span>{' '}
          <strong>{t('users.link.once')}</strong>
        </>
      }
      label="users.link.label"
      value={link.url}
      copy="users.link.copy"
      note={note}
      another={(taken) => <InvitationCard link={link} email={email} onPrint={taken} />}
      leaving={leaving}
      onDone={onDone}
    />
  );
}
