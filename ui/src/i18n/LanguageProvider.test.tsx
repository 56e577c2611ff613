import { FormattedMessage } from 'react-intl';
import { expect, it, vi } from 'vitest';
import { render } from '@/test/render';
import type { MessageId } from './language';
import { useText } from './useText';

function Told({ id }: { id: MessageId }) {
  return useText()(id);
}

it('complains of a text that is not there, which built code would show as its bare id', async () => {
  const complain = vi.spyOn(window, 'reportError').mockImplementation(() => {});
  await render(<Told id={'sheets.nowhere' as MessageId} />);
  expect(document.body).toHaveTextContent('sheets.nowhere');
  expect(String(complain.mock.calls[0]?.[0])).toContain('"sheets.nowhere"');
});

it('lets no id compile that no catalogue has, as the attribute of a component neither', () => {
  const wrong = [
    // @ts-expect-error: no such message
    () => useText()('sheets.nowhere'),
    // @ts-expect-error: no such message
    <FormattedMessage key="one" id="sheets.nowhere" />,
  ];
  expect(wrong).toHaveLength(2);
});
