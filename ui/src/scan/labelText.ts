import type { OwnLabelView } from '@/api/generated';
import type { MessageId } from '@/i18n/language';

/** Return the text for a label of Consumo that opens nothing here. */
export const labelText = ({ kind, state }: OwnLabelView): MessageId =>
  state === 'foreign'
    ? 'scan.labelForeign'
    : kind === 'closing' || kind === 'document'
      ? 'scan.closedPaper'
      : kind === 'kit'
        ? 'scan.kitGone'
        : 'scan.labelMissing';
