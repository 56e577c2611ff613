import { useCallback } from 'react';
import { useIntl } from 'react-intl';
import { type Translate, translate } from './messages';

/** `const t = useText()`, then `t('sheets.title')`: a misspelt id does not compile. */
export function useText(): Translate {
  const intl = useIntl();
  return useCallback((id, values) => translate(intl, id, values), [intl]);
}
