import { Button } from '@mantine/core';
import { IconCheck, IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useText } from '@/i18n/useText';
import classes from './PracticeSheet.module.css';
import type { PracticeState } from './practiceState';
import type { Task } from './practiceTasks';

interface Props {
  tasks: Task[];
  state: PracticeState;
  onSkip: () => void;
  onAgain: () => void;
}

/** Say what to do next, and at the end how long it took. */
export function CurrentTask({ tasks, state: { outcomes, startedAt, endedAt }, onSkip, onAgain }: Props) {
  const t = useText();
  const task = tasks[outcomes.length];
  if (!task) {
    const seconds = Math.round(((endedAt ?? 0) - (startedAt ?? 0)) / 1000);
    const done = outcomes.filter((one) => one === 'done').length;
    return (
      <section className={classes.task} data-over role="status">
        <p className={classes.sentence}>
          {t('practice.over', {
            done,
            all: tasks.length,
            minutes: Math.floor(seconds / 60),
            seconds: seconds % 60,
          })}
        </p>
        <Button size="compact-md" onClick={onAgain}>
          {t('practice.again')}
        </Button>
        <Button size="compact-md" variant="default" component={Link} to="/">
          {t('practice.leave')}
        </Button>
      </section>
    );
  }
  return (
    <section className={classes.task} aria-label={t('practice.task')}>
      <span className={classes.place}>
        <b>{t('practice.title')}</b>{' '}
        <span>{t('practice.place', { place: outcomes.length + 1, all: tasks.length })}</span>
      </span>
      <p className={classes.sentence} role="status">
        {t(task.text, task.values)}
      </p>
      <Button size="compact-sm" variant="subtle" onClick={onSkip}>
        {t('practice.skip')}
      </Button>
    </section>
  );
}

const ICONS = { done: IconCheck, skipped: null, current: IconChevronRight };

/** The ten things to do, with those that are done. */
export function TaskList({ tasks, outcomes }: { tasks: Task[]; outcomes: PracticeState['outcomes'] }) {
  const t = useText();
  return (
    <section className={classes.tasks} aria-labelledby="practice-tasks">
      <h3 id="practice-tasks">{t('practice.tasks')}</h3>
      <ol>
        {tasks.map(({ text, values }, place) => {
          const how = outcomes[place] ?? (place === outcomes.length ? 'current' : undefined);
          const Icon = how && ICONS[how];
          return (
            <li
              key={text}
              data-how={how}
              aria-current={how === 'current' ? 'step' : undefined}
              aria-label={how && how !== 'current' ? `${t(text, values)} ${t(LABELS[how])}` : undefined}
            >
              <span className={classes.tick}>
                {Icon ? <Icon size={18} aria-hidden /> : how && <span aria-hidden>–</span>}
              </span>
              <span>{t(text, values)}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const LABELS = { done: 'practice.done', skipped: 'practice.skipped' } as const;
