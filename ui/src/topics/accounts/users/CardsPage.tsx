import { Button, Group, Paper, Portal, Stack, Text, Title } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { type UserLinkView, useCreateImportedLinksMutation } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSubmit } from '@/shared/forms/useSubmit';
import { type Encode, loadAndEncode, SymbolPicture } from '@/shared/ui/SymbolPicture';
import type { PrintedSymbol } from '@/shared/ui/symbol';
import classes from './CardsPage.module.css';
import { useHolder } from './InvitationCard';

/** The number of links that the server creates at a time. */
const MOST = 200;
/** The number of cards on a page. */
const ON_A_PAGE = 8;

interface Card extends UserLinkView {
  code: PrintedSymbol;
}

interface Props {
  importId: number;
  encode?: Encode;
}

/** Print the cards of the import in the URL. */
export default function CardsPage() {
  const importId = Number(useSearchParams()[0].get('import')) || null;
  return importId === null ? <Navigate to="/users" replace /> : <Cards importId={importId} />;
}

/**
 * Print the personal links of imported users as cards.
 *
 * The links are secrets: they are drawn on this device, and stored nowhere.
 */
export function Cards({ importId, encode = loadAndEncode }: Props) {
  const t = useText();
  const format = useFormat();
  const [createLinks] = useCreateImportedLinksMutation();
  const { submit } = useSubmit();
  const [busy, setBusy] = useState(false);
  const [cards, setCards] = useState<Card[] | null>(null);
  const { hospital } = useHolder(cards?.[0]?.url);

  async function create() {
    setBusy(true);
    const links: UserLinkView[] = [];
    for (;;) {
      const importedLinksDraft = { import_id: importId, after_id: links.at(-1)?.user_id };
      const made = await submit(() => createLinks({ importedLinksDraft }));
      if (!made.ok) return setBusy(false);
      links.push(...made.data.items);
      if (made.data.items.length < MOST) break;
    }
    setCards(
      await Promise.all(links.map(async (link) => ({ ...link, code: await encode(link.url, 'QRCode') }))),
    );
    setBusy(false);
  }

  const pages = Math.ceil((cards?.length ?? 0) / ON_A_PAGE);
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} maw="44rem" component="section" aria-labelledby="cards">
      <Stack gap="md">
        <Title order={2} id="cards" fz="lg">
          {t('users.cards.title')}
        </Title>
        {cards === null ? (
          <>
            <Text>{t('users.cards.use')}</Text>
            <Group gap="sm">
              <Button loading={busy} onClick={create}>
                {t('users.cards.create')}
              </Button>
              <Button component={Link} to="/users" variant="default">
                {t('action.cancel')}
              </Button>
            </Group>
          </>
        ) : cards.length === 0 ? (
          <>
            <Text role="status">{t('users.cards.none')}</Text>
            <Group>
              <Button component={Link} to="/users" variant="default">
                {t('users.title')}
              </Button>
            </Group>
          </>
        ) : (
          <>
            <Text role="status">{t('users.cards.ready', { count: cards.length, pages })}</Text>
            <Text>{t('users.cards.once')}</Text>
            <ol className={classes.list}>
              {cards.map(({ user_id, email, name }) => (
                <li key={user_id}>
                  <span>{name ? `${name} · ${email}` : email}</span>
                </li>
              ))}
            </ol>
            <Group gap="sm">
              <Button
                leftSection={<IconPrinter size={20} aria-hidden />}
                onClick={() => window.print()}
                autoFocus
              >
                {t('action.print')}
              </Button>
              <Button component={Link} to="/users" variant="default">
                {t('once.done')}
              </Button>
            </Group>
            <Portal>
              <div className={classes.sheet} data-printed-alone aria-hidden>
                {cards.map(({ user_id, email, name, url, expires_at, code }) => (
                  <div key={user_id} className={classes.card}>
                    <div className={classes.code}>
                      <SymbolPicture symbol={code} label={t('users.link.qr')} className={classes.picture} />
                    </div>
                    <div className={classes.facts}>
                      <strong>{hospital ?? 'Consumo'}</strong>
                      {name && <span>{name}</span>}
                      <span>{email}</span>
                      <span>{new URL(url).origin}</span>
                      <span>{t('users.link.validUntil', { at: format.moment(expires_at) })}</span>
                      <small>{t('users.link.cardUse')}</small>
                    </div>
                  </div>
                ))}
              </div>
            </Portal>
          </>
        )}
      </Stack>
    </Paper>
  );
}
