import { Button, UnstyledButton } from '@mantine/core';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { type KitProductView, type MissedChargeView, useAnswerMissedChargeMutation } from '@/api/generated';
import { useText } from '@/i18n/useText';
import { nameAndCode } from '@/shared/records/nameAndCode';
import { singleKeys } from '@/shared/ui/singleKeys';
import classes from './MissedCharges.module.css';
import { useChipKeys } from './useChipKeys';

interface Props {
  sheetId: number;
  questions: MissedChargeView[];
  /** Whether the keys of the chips need Alt, because numbers are typed beside them. */
  withAlt?: boolean;
  /** Record the product, after the user has confirmed it as any other. */
  onUsed: (product: KitProductView) => void;
}

/**
 * Ask about products that were probably used and not recorded.
 *
 * A chip takes the product in hand. Nothing is recorded by it.
 */
export default function MissedCharges({ sheetId, questions, withAlt = false, onUsed }: Props) {
  const t = useText();
  const id = useId();
  const [answer] = useAnswerMissedChargeMutation();
  const [answered, setAnswered] = useState<number[]>([]);
  const section = useRef<HTMLElement>(null);
  const open = questions.filter(({ product }) => !answered.includes(product.id));

  function settle({ product, because_id }: MissedChargeView, used: boolean) {
    // A lost answer only means that it is asked again.
    answer({ sheetId, productId: product.id, missedChargeDraft: { because_id, used } });
    setAnswered((ids) => [...ids, product.id]);
    if (used) onUsed(product);
  }

  useChipKeys(section, open.length, withAlt, (place) => {
    const question = open[place];
    if (question) settle(question, true);
  });
  // The pressed button is gone.
  useLayoutEffect(() => {
    if (answered.length > 0 && !document.activeElement?.closest('[role="dialog"] *'))
      section.current?.focus();
  }, [answered]);

  if (questions.length === 0) return null;
  return (
    <section ref={section} tabIndex={-1} className={classes.missed} aria-labelledby={id}>
      <h3 id={id}>{t('missed.title')}</h3>
      <ul>
        {open.map((question, place) => {
          const { product, because, because_id } = question;
          const key = withAlt ? `Alt ${place + 1}` : singleKeys.areOn() && String(place + 1);
          const isNamed = open[place - 1]?.because_id === because_id;
          return (
            <li key={product.id}>
              {!isNamed && <span className={classes.because}>{t('missed.because', { because })}</span>}
              <UnstyledButton
                className={classes.chip}
                aria-keyshortcuts={key ? key.replace(' ', '+') : undefined}
                onClick={() => settle(question, true)}
              >
                {key && <kbd aria-hidden>{key}</kbd>}
                <span className={classes.product}>
                  <span>{product.name}</span> {product.code && <small>{product.code}</small>}
                </span>
              </UnstyledButton>
              <Button
                variant="subtle"
                color="gray"
                px="xs"
                aria-label={t('missed.noOf', { product: nameAndCode(product) })}
                onClick={() => settle(question, false)}
              >
                {t('missed.no')}
              </Button>
            </li>
          );
        })}
      </ul>
      <p role="status">{open.length === 0 && t('missed.noted')}</p>
    </section>
  );
}
