import { Link } from 'react-router-dom';
import type { NoticeView } from '@/api/generated';
import { useFormat } from '@/i18n/useFormat';
import classes from './NoticeList.module.css';
import { addressOf, groupNotices, useNoticeTexts } from './notices';

interface Props {
  notices: NoticeView[];
  /** Called when the user opens the sheet of these notices. */
  onOpen?: (opened: NoticeView[]) => void;
}

/** What others changed on the user's lines, each a link to its line. */
export function NoticeList({ notices, onOpen }: Props) {
  const format = useFormat();
  const { ofGroup, before } = useNoticeTexts();
  return (
    <ul className={classes.list}>
      {groupNotices(notices).map((group) => (
        <li key={group.first.id}>
          <Link
            to={addressOf(group.first)}
            className={classes.notice}
            onClick={() => onOpen?.(group.notices)}
          >
            <span>{ofGroup(group)}</span>
            {group.notices.length > 1 && (
              <span className={classes.note}>{group.notices.map(before).join(' · ')}</span>
            )}
            <span className={classes.note}>{format.moment(group.first.at)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
