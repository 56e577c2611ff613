import { Button, Group, Portal } from '@mantine/core';
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs';
import { useEffect, useState } from 'react';
import { type Link, type LinkAccount, useReadPasswordLinkMutation } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './InvitationCard.module.css';
import type { QrCode } from './qrCode';

interface Props {
  link: Link;
  /** The email of the account. */
  email: string;
  /** Called when the card is printed. */
  onPrint: () => void;
  encode?: (text: string) => Promise<QrCode>;
}

/** Load the encoder when it is needed. */
export async function loadAndEncode(text: string) {
  const [{ encodeQr }, { default: program }] = await Promise.all([
    import('./qrCode'),
    import('zxing-wasm/writer/zxing_writer.wasm?url'),
  ]);
  // From our server: by default it loads from a public one.
  return encodeQr(text, { locateFile: () => program });
}

/**
 * Show a personal link as a QR code, and print it as a card.
 *
 * The link is a secret, so both are drawn on this device and stored nowhere.
 */
export function InvitationCard({ link, email, onPrint, encode = loadAndEncode }: Props) {
  const t = useText();
  const format = useFormat();
  const code = useQrCode(link.url, encode);
  const { name, hospital } = useHolder(link.url);
  const picture = code ? <QrPicture code={code} label={t('users.link.qr')} /> : null;

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

export function QrPicture({ code, label }: { code: QrCode; label: string }) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${code.side} ${code.side}`}
      className={classes.picture}
      shapeRendering="crispEdges"
    >
      <rect width={code.side} height={code.side} fill="#fff" />
      <path d={code.path} fill="#000" />
    </svg>
  );
}

/** Encode the link; null until then, and if the encoder could not be loaded. */
function useQrCode(url: string, encode: (text: string) => Promise<QrCode>) {
  const [code, setCode] = useState<QrCode | null>(null);
  useEffect(() => {
    let isCurrent = true;
    encode(url).then(
      (encoded) => isCurrent && setCode(encoded),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [url, encode]);
  return code;
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
