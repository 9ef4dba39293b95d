import { SNOOZE_CHOICES, TASKS_TITLE, type Task } from '../../core/console/task.ts';
import { Sparkline } from '../charts/charts.tsx';
import { MoneyAmount } from '../frame/cells.tsx';
import { Block } from '../frame/data-table.tsx';
import { ActionForm, Submit, useAction } from '../frame/forms.tsx';
import { formatDay, formatNumber, NO_FIGURE } from '../reports/format.ts';
import { getReturnDay } from '../reports/range.ts';
import type { SnoozedTask, TodayTasks } from './tasks.ts';

interface Props {
  readonly list: TodayTasks;
  /** `YYYY-MM-DD` in the time zone of the site. */
  readonly today: string;
}

/** The others are one click away. */
const MAX_SHOWN = 5;

/** What there is to do, the most money first; each task leads to where it is done, and can be put off. */
export function TaskList({ list, today }: Props) {
  const { open, snoozed } = list;
  // A line that says that there is one more takes as much room as the one.
  const shown = open.length === MAX_SHOWN + 1 ? open : open.slice(0, MAX_SHOWN);
  const rest = open.slice(shown.length);
  return (
    <Block
      title={TASKS_TITLE}
      id="tasks"
      className="tasks mt-0 mb-8"
      note={open.length === 0 ? 'Nothing.' : 'By the money that depends on it.'}
    >
      <Tasks tasks={shown} today={today} />
      {rest.length > 0 && (
        <details className="tasks-more">
          <summary>{formatNumber(rest.length)} more</summary>
          <Tasks tasks={rest} today={today} />
        </details>
      )}
      {snoozed.length > 0 && (
        <details className="tasks-more">
          <summary>{formatNumber(snoozed.length)} snoozed</summary>
          <ul className="task-list">
            {snoozed.map((task) => (
              <Snoozed key={task.key} task={task} today={today} />
            ))}
          </ul>
        </details>
      )}
    </Block>
  );
}

type PartProps = Omit<Props, 'list'>;

function Tasks({ tasks, today }: PartProps & { readonly tasks: readonly Task[] }) {
  return (
    <ol className="task-list">
      {tasks.map((task) => (
        <li key={task.key} className="task">
          <TaskText task={task} />
          <Snooze task={task} today={today} />
        </li>
      ))}
    </ol>
  );
}

function TaskText({ task: { text, detail, amount, currency, trend, href } }: { readonly task: Task }) {
  return (
    <>
      <span className="weight-600 text-right small:text-left small:[&:has(.no-figure)]:hidden">
        {amount === null ? (
          <>
            <span className="no-figure" aria-hidden="true">
              {NO_FIGURE}
            </span>
            <span className="hidden-text">Amount not known</span>
          </>
        ) : (
          <MoneyAmount amount={amount} currency={currency} isShort />
        )}
      </span>
      <div className="task-text">
        <a href={href}>{text}</a>
        {trend !== undefined && <Sparkline values={trend} />}
        {detail !== undefined && <small>{detail}</small>}
      </div>
    </>
  );
}

function Snooze({ task, today }: PartProps & { readonly task: Task }) {
  if (!useAction('snooze')) return null;
  return (
    <details className="menu task-snooze" name="console-menu">
      <summary>
        Snooze<span className="hidden-text">: {task.text}</span>
      </summary>
      <ActionForm of="snooze" fields={{ task: task.key }} className="menu-panel">
        {SNOOZE_CHOICES.map(({ key, name }) => (
          <button key={key} type="submit" name="until" value={key} className="menu-link">
            {name}
            <small>until {formatDay(getReturnDay(key, today), today)}</small>
          </button>
        ))}
      </ActionForm>
    </details>
  );
}

function Snoozed({ task, today }: PartProps & { readonly task: SnoozedTask }) {
  return (
    <li className="task">
      <TaskText task={task} />
      <div className="task-return">
        <small>returns on {formatDay(task.returnDay, today)}, or when it gets worse</small>
        <ActionForm of="end-snooze" fields={{ task: task.key }}>
          <Submit className="text-button">
            Show it again<span className="hidden-text">: {task.text}</span>
          </Submit>
        </ActionForm>
      </div>
    </li>
  );
}
