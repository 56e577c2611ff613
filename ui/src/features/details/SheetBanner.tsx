import { ActionIcon, Button, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { Link } from 'react-router-dom';
import type { SheetView } from '@/api/generated';
import { ClampedText } from '@/components/ClampedText';
import { fullName } from '@/components/fullName';
import { useFormat } from '@/i18n/useFormat';
import { useText } from '@/i18n/useText';
import classes from './SheetBanner.module.css';

interface Props {
  sheet: SheetView;
  lines: number;
  /** True while lines and total are read again. */
  stale: boolean;
}

/** Whose sheet this is and what it comes to: always in view, on a phone in two lines that unfold. */
export function SheetBanner({ sheet, lines, stale }: Props) {
  const t = useText();
  const format = useFormat();
  const { formatRelativeTime } = useIntl();
  const [unfolded, { toggle }] = useDisclosure();
  const days = (Date.parse(sheet.admission_date) - Date.parse(format.dayOf(new Date()))) / 86_400_000;
  const ago = sheet.closed ? '' : formatRelativeTime(days, 'day', { numeric: 'auto' });
  return (
    <section
      className={classes.banner}
      aria-label={t('sheets.patient')}
      data-unfolded={unfolded || undefined}
    >
      <Button
        className={classes.back}
        component={Link}
        to={sheet.closed ? '/consumption-sheets/closed' : '/consumption-sheets'}
        variant="default"
        leftSection={<IconArrowLeft size={20} aria-hidden />}
        aria-label={t('details.back')}
      >
        <span className={classes.backText}>{t('action.back')}</span>
      </Button>
      <div className={classes.who}>
        <Title order={2} className={classes.name}>
          <ClampedText>{fullName(sheet.patient)}</ClampedText>
        </Title>
        <Text size="sm" className={classes.short}>
          {[sheet.room.name, ago, sheet.doctor].filter(Boolean).join(' · ')}
        </Text>
      </div>
      <dl className={classes.sums} data-stale={stale || undefined}>
        <Fact name={t('details.lines')}>{format.quantity(lines)}</Fact>
        {sheet.total !== undefined && (
          <Fact name={t('sheets.total')} strong>
            {format.money(sheet.total)}
          </Fact>
        )}
      </dl>
      <ActionIcon
        className={classes.unfold}
        onClick={toggle}
        aria-expanded={unfolded}
        aria-label={t('details.moreAboutPatient')}
      >
        <IconChevronDown aria-hidden />
      </ActionIcon>
      <dl className={classes.facts}>
        <Fact name={t('sheets.room')}>{sheet.room.name}</Fact>
        <Fact name={t('sheets.admissionDate')}>
          {format.day(sheet.admission_date) + (ago && ` (${ago})`)}
        </Fact>
        <Fact name={t('sheets.doctor')}>{sheet.doctor}</Fact>
        <Fact name={t('sheets.diagnosis')} long>
          {sheet.diagnosis}
        </Fact>
      </dl>
    </section>
  );
}

interface FactProps {
  name: string;
  strong?: boolean;
  /** One line of it, the rest when it is pointed at or unfolded. */
  long?: boolean;
  children: ReactNode;
}

function Fact({ name, strong, long, children }: FactProps) {
  if (!children) return null;
  return (
    <div data-strong={strong} data-long={long} title={long ? String(children) : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
