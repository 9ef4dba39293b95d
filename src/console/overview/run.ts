import { getLocalDay, toUtc } from '../../core/commissions/local-time.ts';
import type { Handlers, overviewActions } from '../actions.ts';
import type { ActionOutcome, ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatDay } from '../reports/format.ts';
import { getReturnDay } from '../reports/range.ts';
import { readTasks } from './tasks.ts';

function finish({ parameters }: ViewRequest, message: string, isError = false): ActionOutcome {
  const location = `${buildConsoleAddress('overview')}${parameters.size === 0 ? '' : `?${parameters}`}`;
  return { location, message, isError };
}

/** Puts a task off, and shows it again. */
export const runOverview: Handlers<typeof overviewActions.actions> = {
  async snooze(site, { task: key, until: choice }, request) {
    const { clock, settings } = site;
    const { accounts: operators } = site.operators;
    const { open, snoozed } = await readTasks(site);
    const task = [...open, ...snoozed].find((one) => one.key === key);
    if (task === undefined) return finish(request, 'There is nothing to do about this any more.', true);
    const now = clock.now();
    const today = getLocalDay(now, settings.TIME_ZONE);
    const day = getReturnDay(choice, today);
    const until = toUtc(Date.parse(`${day}T00:00:00Z`), settings.TIME_ZONE);
    const { amount, currency, level = 0 } = task;
    await operators.writeSnooze({ key, until, amount, currency, level }, now);
    // The text of a task may have an amount.
    const note = `Snoozed a task of the overview until ${formatDay(day, today)}.`;
    return { ...finish(request, `Snoozed until ${formatDay(day, today)}: ${task.text}`), note };
  },
  async 'end-snooze'({ operators: { accounts: operators } }, { task }, request) {
    return (await operators.removeSnooze(task))
      ? {
          ...finish(request, 'The task is in the list again.'),
          note: 'Showed a snoozed task of the overview again.',
        }
      : finish(request, 'The task was not snoozed any more.', true);
  },
};
