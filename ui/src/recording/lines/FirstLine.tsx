import { Anchor, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconKeyboard, IconRepeat, IconScan } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ProductView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import { useSession } from '@/session/session';
import { waysDone } from '../common/waysDone';
import classes from './FirstLine.module.css';

interface Props {
  /** A usual product, for the examples. */
  product: ProductView | undefined;
}

/**
 * Explain the ways to record a line, in place of an empty list.
 *
 * Each is shown until the user has recorded a line in that way.
 */
export default function FirstLine({ product }: Props) {
  const t = useText();
  const format = useFormat();
  const touch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
  const userId = useSession().user?.id ?? 0;
  const [done] = useState(() => waysDone(userId));
  const word = product?.name.split(' ')[0]?.toLowerCase();
  return (
    <div className={classes.ways}>
      <Text fw={600} role="status" className={classes.title}>
        {t('list.nothingFound')}
      </Text>
      {!done.includes('scan') && (
        <Way icon={<IconScan size={24} aria-hidden />} title={t('firstLine.scan')}>
          <p>{t('firstLine.scanHow')}</p>
          {product && <Example shown={product.code ?? product.gtin ?? ''} means={product.name} />}
        </Way>
      )}
      {!done.includes('type') && (
        <Way icon={<IconKeyboard size={24} aria-hidden />} title={t('firstLine.type')}>
          <p>{t(touch ? 'firstLine.touchHow' : 'firstLine.typeHow')}</p>
          <Example
            shown={`3 ${word ?? t('firstLine.word')}`}
            means={format.counted(3, product?.name ?? t('firstLine.word'))}
          />
          {product && !touch && <Example shown="1" means={t('firstLine.usual', { product: product.name })} />}
        </Way>
      )}
      {!done.includes('repeat') && (
        <Way icon={<IconRepeat size={24} aria-hidden />} title={t('firstLine.repeat')}>
          <p>{t('firstLine.repeatHow')}</p>
        </Way>
      )}
      {done.length < 3 && (
        <p className={classes.practice}>
          <span>{t('firstLine.practiceHow')}</span>{' '}
          <Anchor component={Link} underline="always" to="/practice">
            {t('practice.start')}
          </Anchor>
        </p>
      )}
    </div>
  );
}

function Way({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.way}>
      <div className={classes.head}>
        {icon}
        <h3 id={id}>{title}</h3>
      </div>
      {children}
    </section>
  );
}

/** What is scanned or typed, and what it records. */
function Example({ shown, means }: { shown: string; means: string }) {
  if (!shown) return null;
  return (
    <p className={classes.example}>
      <kbd>{shown}</kbd> <span>{means}</span>
    </p>
  );
}
