import { Button, Group, Portal } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { type Link, type LinkAccount, useReadPasswordLinkMutation } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { type Encode, SymbolPicture, useSymbol } from '@/shared/ui/SymbolPicture';
import classes from './InvitationCard.module.css';

interface Props {
  link: Link;
  /** The email of the account. */
  email: string;
  /** Called when the card is printed. */
  onPrint: () => void;
  encode?: Encode;
}

/**
 * Show a personal link as a QR code, and print it as a card.
 *
 * The link is a secret, so both are drawn on this device and stored nowhere.
 */
export function InvitationCard({ link, email, onPrint, encode }: Props) {
  const t = useText();
  const format = useFormat();
  const code = useSymbol(link.url, 'QRCode', encode);
  const { name, hospital } = useHolder(link.url);
  const picture = code ? (
    <SymbolPicture symbol={code} label={t('users.link.qr')} className={classes.picture} />
  ) : null;

  function print() {
    onPrint();
    window.print();
  }

  return (
    <>
      <Group gap="lg" className={classes.shown}>
        <div className={classes.place}>{picture}</div>
        <Button
          variant="default"
          leftSection={<IconPrinter size={20} aria-hidden />}
          disabled={!code}
          onClick={print}
        >
          {t('users.link.print')}
        </Button>
      </Group>
      <Portal>
        <div className={classes.card} data-printed-alone aria-hidden>
          <div className={classes.code}>{picture}</div>
          <div className={classes.facts}>
            <strong>{hospital ?? 'Consumo'}</strong>
            {name && <span>{name}</span>}
            <span>{email}</span>
            <span>{new URL(link.url).origin}</span>
            <span>{t('users.link.validUntil', { at: format.moment(link.expires_at) })}</span>
            <small>{t('users.link.cardUse')}</small>
          </div>
        </div>
      </Portal>
    </>
  );
}

/** Read the name of the link's user and of the hospital. */
export function useHolder(url: string | undefined): Pick<LinkAccount, 'name' | 'hospital'> {
  const [read] = useReadPasswordLinkMutation();
  const [holder, setHolder] = useState<LinkAccount | null>(null);
  useEffect(() => {
    if (url === undefined) return;
    const token = new URL(url).searchParams.get('token') ?? '';
    read({ linkToken: { token } })
      .unwrap()
      .then(setHolder, () => {});
  }, [read, url]);
  return holder ?? { name: null, hospital: null };
}
