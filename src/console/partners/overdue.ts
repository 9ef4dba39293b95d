import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import { buildDueKey, type ScheduledDue } from '../../core/commissions/ledger/due-date.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import type { ConsoleSite } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatCount, formatDay, formatMoney } from '../reports/format.ts';
import { describePayout, sumOf } from '../reports/payments.ts';

/** States of a commission about which the partner manager is asked. */
const OVERDUE_STATES = ['payment overdue', 'approval overdue'] as const;

/** A commission with what becomes of its money. */
export interface DueCommission {
  readonly state: ScheduledDue['state'];
  readonly day: ScheduledDue['day'];
  readonly entry: LedgerEntry;
}

/** What of one partner in one currency is overdue for the same reason, oldest first. */
export type OverdueGroup = ReturnType<typeof groupOverdue>[number];

/** The same with its first commissions. */
export type ListedGroup = Awaited<ReturnType<typeof readOverdue>>;

/**
 * Groups what is overdue by partner, currency and reason; what adds up to nothing is left out. `since`: the oldest day on which
 * one was due, `YYYY-MM-DD`. Amounts: minor units.
 */
export function groupOverdue(scheduled: readonly ScheduledDue[]) {
  return OVERDUE_STATES.flatMap((state) => {
    const overdue = scheduled.filter((one) => one.state === state);
    const groups = Map.groupBy(overdue, ({ partner, currency }) => `${partner} ${currency}`);
    return [...groups.values()].flatMap((group) => {
      const dues = [...group].sort((one, other) => ((one.day ?? '') < (other.day ?? '') ? -1 : 1));
      const [first] = dues;
      const amount = sumOf(dues, (due) => due.amount);
      if (first?.day == null || amount <= 0) return [];
      const { partner, currency, day } = first;
      return [{ partner, currency, state, since: day, amount, count: sumOf(dues, (due) => due.count), dues }];
    });
  });
}

/** As many commissions of a group are listed. */
const MAX_READ = 100;

/** Reads the commissions that are overdue the longest. */
export async function readOverdue({ money }: ConsoleSite, group: OverdueGroup) {
  const known = new Map(group.dues.map((due) => [buildDueKey(due), due]));
  const order = { by: 'booked', isDescending: false, limit: MAX_READ, offset: 0 } as const;
  const entries = await money.commissions.table.readEntries({ dues: [...known.keys()] }, order);
  const commissions = entries.map((entry): DueCommission => {
    const { state = group.state, day = null } =
      known.get(buildDueKey({ ...entry.commission, ...entry.due })) ?? {};
    return { entry, state, day };
  });
  return { ...group, commissions: commissions.sort(compareDays) };
}

function compareDays(one: DueCommission, other: DueCommission): number {
  const [first, second] = [one, other].map(
    ({ day, entry }) => `${day} ${entry.commission.eventTime.toString().padStart(15, '0')}`,
  );
  return (first ?? '') < (second ?? '') ? -1 : 1;
}

/** The page of one partner, at what is overdue. */
const buildOverdueAddress = (partner: string) =>
  `${buildConsoleAddress('partners', { filters: [{ dimension: 'partner', value: partner, isNot: false }] })}#overdue`;

/**
 * Lists what is overdue as tasks for the operator, one for each partner, currency and reason. A task lasts until the
 * oldest of its commissions is decided. `names` are those of the partners by key.
 */
export function listPaymentTasks(
  scheduled: readonly ScheduledDue[],
  names: ReadonlyMap<string, string>,
  today: string,
) {
  return groupOverdue(scheduled).map(({ partner, currency, state, since, amount, count: commissions }) => {
    const name = names.get(partner) ?? partner;
    const money = formatMoney(amount, currency);
    const day = formatDay(since, today);
    const isPayment = state === 'payment overdue';
    const count = formatCount(commissions, 'commission');
    return {
      key: `overdue:${partner}:${isPayment ? 'payment' : 'approval'}:${currency}:${since.slice(0, 7)}`,
      kind: 'overdue',
      text: isPayment
        ? `${name} has not paid ${money}, due since ${day}.`
        : `${name} has not decided ${money} that should have been approved since ${day}.`,
      detail: `${count}. A message to the partner manager is ready to copy.`,
      amount,
      currency,
      href: buildOverdueAddress(partner),
    };
  });
}

/** A message that the operator can send. */
export type PaymentMessage = NonNullable<ReturnType<typeof buildPaymentMessage>>;

/** More commissions are a sum. */
const MAX_LISTED = 25;

const LONG_DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const formatLongDay = (day: string) => LONG_DAY.format(new Date(`${day}T00:00:00Z`));
const LIST = new Intl.ListFormat('en-US');

/**
 * Writes the message to a partner manager about everything of the partner that is overdue: ids, days and amounts as the
 * network reported them, and what the terms say. Null when nothing is overdue.
 */
export function buildPaymentMessage(
  groups: readonly ListedGroup[],
  { name, terms }: Partner,
  siteName: string,
) {
  const [first] = groups;
  if (first === undefined) return null;
  const [since = first.since] = groups.map((group) => group.since).sort();
  const sums = Map.groupBy(groups, ({ currency }) => currency);
  const total = LIST.format(
    [...sums].map(([currency, own]) =>
      formatMoney(
        sumOf(own, ({ amount }) => amount),
        currency,
      ),
    ),
  );
  const accounts = new Set(groups.flatMap(({ dues }) => dues.map(({ account }) => account)));
  const body = [
    'Hello,',
    '',
    `this is about commissions of ${siteName} in the ${name} program.`,
    ...groups.flatMap((group) => ['', ...describeGroup(group, terms.timeZone)]),
    '',
    ...describeBasis(terms.payments),
    'Could you let me know when they are settled, or whether anything is missing on my side?',
    '',
    `Account: ${LIST.format([...accounts])}`,
    '',
    'Thank you and best regards,',
    siteName,
  ];
  return { subject: `${siteName}: ${total} open since ${formatLongDay(since)}`, body: body.join('\n') };
}

function describeGroup(
  { state, commissions, amount, count, currency }: ListedGroup,
  timeZone: string,
): string[] {
  const isPayment = state === 'payment overdue';
  const listed = commissions.slice(0, MAX_LISTED);
  const restAmount = amount - sumOf(listed, ({ entry }) => entry.commission.amount);
  const rest = count - listed.length;
  return [
    isPayment
      ? 'These were approved and are not reported as paid:'
      : 'These are still pending after the time in which they should be approved:',
    ...listed.map(({ day, entry: { commission } }) => {
      const reported = formatLongDay(getLocalDay(commission.eventTime, timeZone));
      const due = day === null ? '' : `, ${isPayment ? 'payment' : 'approval'} due ${formatLongDay(day)}`;
      return `- ${commission.nativeId}: ${formatMoney(commission.amount, currency)}, reported ${reported}${due}`;
    }),
    ...(rest === 0 ? [] : [`- and ${rest} more: ${formatMoney(restAmount, currency)}`]),
    `Total: ${formatMoney(amount, currency)} (${count})`,
  ];
}

/** What the message refers to, as far as the partner's file says it. */
function describeBasis({ approvalDays, payout }: Partner['terms']['payments']): string[] {
  const terms = [
    ...(approvalDays === null ? [] : [`approved within ${approvalDays} days`]),
    ...(payout === null ? [] : [`paid ${describePayout(payout)}`]),
  ];
  return terms.length === 0 ? [] : [`As I read the terms, commissions are ${LIST.format(terms)}.`];
}
