import { createHash } from 'node:crypto';
import { DAY_MS } from '../../core/clock.ts';
import type { FrozenJourney } from '../../core/commissions/credit/credit.ts';
import { buildJourney } from '../../core/commissions/ledger/build-journey.ts';
import {
  buildFact,
  type CommissionStatus,
  type FactSource,
  type NewFact,
  type ReportedFact,
} from '../../core/commissions/ledger/commission-fact.ts';
import type { Payout } from '../../core/commissions/ledger/commission-terms.ts';
import { findPayoutDay } from '../../core/commissions/ledger/due-date.ts';
import type { RateDay } from '../../core/commissions/ledger/stored-money.schema.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { choosePartner } from '../../core/outbound/cta.ts';
import type { Content } from '../../core/pages/content.ts';
import type { CommissionImport, RawMessage, UnreadMessage } from '../../stores/ledger-rows.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { DemoClick } from './visits.ts';

interface Program {
  readonly source: FactSource;
  readonly currency: string;
  /** The smallest commission, in minor units; some are three and five times as much. */
  readonly amount: number;
  /** Share of average clicks that earn. */
  readonly rate: number;
  /** Days from the click to the commission: half come earlier. */
  readonly delay: number;
  /** Days from the commission until it is approved. */
  readonly approval: number;
  /** Share of the commissions that are taken back. */
  readonly reversals: number;
  /** It has reported nothing for this many days. */
  readonly silentDays?: number;
  /** It has paid nothing for this many days. */
  readonly unpaidDays?: number;
  /** Days before the end on which a message in a shape that no parser knows has arrived. */
  readonly unreadDays?: readonly number[];
}

/**
 * Partners take these in turn: every way to report, two currencies, and what goes wrong in a year have something to show.
 */
const PROGRAMS: readonly [Program, ...Program[]] = [
  {
    source: 'webhook',
    currency: 'USD',
    amount: 3_900,
    rate: 0.02,
    delay: 7,
    approval: 16,
    reversals: 0.06,
  },
  {
    source: 'postback',
    currency: 'EUR',
    amount: 900,
    rate: 0.03,
    delay: 11,
    approval: 30,
    reversals: 0.08,
    unpaidDays: 80,
    unreadDays: [4, 2],
  },
  {
    source: 'csv',
    currency: 'USD',
    amount: 2_500,
    rate: 0.035,
    delay: 9,
    approval: 45,
    reversals: 0.16,
  },
  {
    source: 'api',
    currency: 'USD',
    amount: 1_000,
    rate: 0.045,
    delay: 4,
    approval: 15,
    reversals: 0.04,
    silentDays: 40,
    // It never says that it paid.
    unpaidDays: Number.POSITIVE_INFINITY,
  },
];

/** Share of the customers who pay again after a month. */
const STAYING = 0.86;
const MONTH_MS = 30.4 * DAY_MS;
/** Share of the customers whose sub-id is lost on the way through the network. */
const LOST_SUB_IDS = 0.015;
/** Messages of networks are stored for this long. */
const RAW_DAYS = 29;

interface State {
  readonly status: CommissionStatus;
  /** In minor units. */
  readonly amount: number;
  /** ms since 1970. */
  readonly time: number;
}

/**
 * Builds what networks report of clicks from `start` to `now` (ms since 1970). `scale`: how many times more often than usual
 * a click earns.
 */
export function createDemoLedger(
  { partners, site }: Content,
  [start, now]: readonly [start: number, now: number],
  scale: number,
  random: SeededRandom,
) {
  const reports = {
    /** In the order of arrival after `finish`. */
    facts: [] as NewFact[],
    /** By the id of the click. */
    journeys: new Map<string, FrozenJourney>(),
    raw: [] as RawMessage[],
    unread: [] as Omit<UnreadMessage, 'id'>[],
    /** By their id; those of a partner in the order of time. */
    imports: new Map<string, CommissionImport>(),
  };
  const { facts, journeys, raw, unread, imports } = reports;
  const promoted = choosePartner(partners, site.promotedPartner);
  const programs = new Map(
    [...new Set([promoted, ...partners.values()])].map(({ key, terms }, index) => {
      const program = PROGRAMS[index % PROGRAMS.length] ?? PROGRAMS[0];
      const { recurring: isRecurring, payments } = terms;
      return [key, { ...program, partner: key, isRecurring, payout: payments.payout }] as const;
    }),
  );

  return {
    ...reports,

    /** Adds what a click earns: nothing, one commission, or one of every month. */
    addClick({ event, quality, session }: DemoClick): void {
      const program = programs.get(String(event.data['partner']));
      if (program === undefined) return;
      if (!random.chance(Math.min(0.5, program.rate * quality * scale))) return;
      const amount = program.amount * random.pick([1, 1, 1, 1, 1, 1, 3, 3, 3, 5]);
      const customer = random.uuid().slice(0, 8);
      const clickTime = program.source === 'csv' ? null : event.serverTime;
      let time = event.serverTime + random.logNormal(program.delay, 0.6) * DAY_MS;
      // The time of the click remains, by which the click is suggested.
      const hasSubId = clickTime === null || !random.chance(LOST_SUB_IDS);
      if (time <= now && hasSubId) journeys.set(event.id, buildJourney(event, session));
      for (let month = 1; time <= now; month++, time += MONTH_MS) {
        const kind = month === 1 ? 'sale' : 'recurring';
        const token = hasSubId ? event.id : '';
        const fields = { nativeId: `${customer}-${month}`, kind, token, clickTime } as const;
        const states = simulateStates(program, amount, time, random);
        report(program, fields, states, hasSubId ? event.id : null);
        if (!program.isRecurring || !random.chance(STAYING)) break;
      }
    },

    /** Adds what belongs to no click; called once, after all clicks. */
    finish() {
      for (const [index, program] of [...programs.values()].entries()) {
        const { amount, unreadDays = [] } = program;
        const add = (time: number, fields: Partial<ReportedFact>) =>
          report(program, fields, [
            { status: 'approved', amount, time },
            { status: 'paid', amount, time: findPaymentTime(program, time, time) },
          ]);
        for (const day of [4, 11, 19]) {
          const clickTime = start - (6 + day) * DAY_MS;
          add(start + (day + index) * DAY_MS, { token: random.uuid(), clickTime });
        }
        // Not all at once: what is without a click must not outweigh what recent clicks have earned so far.
        add(now - (9 + 25 * index) * DAY_MS, { kind: 'bonus' });
        add(now - (6 + 17 * index) * DAY_MS, { token: 'sidebar' });
        add(now - (20 + 31 * index) * DAY_MS, { isTest: true, token: 'test' });
        for (const days of unreadDays) addUnread(program.partner, now - days * DAY_MS);
      }
      facts.sort((one, other) => one.arrivedAt - other.arrivedAt);
      return reports;
    },
  };

  /** Adds the facts of a commission that have arrived by now: each change, or those in the file of a month. */
  function report(
    { partner, source, currency, silentDays = 0, unpaidDays = 0 }: Program & { readonly partner: string },
    fields: Partial<ReportedFact>,
    states: readonly State[],
    clickId: string | null = null,
  ): void {
    const commission = {
      nativeId: random.uuid().slice(0, 8),
      kind: 'sale' as const,
      token: '',
      clickTime: null,
      currency,
      isTest: false,
      saleAmount: null,
      eventTime: Math.round(states[0]?.time ?? 0),
      ...fields,
    };
    const isFile = source === 'csv';
    const paidUntil = now - unpaidDays * DAY_MS;
    const known = states.filter(({ status, time }) => status !== 'paid' || time <= paidUntil);
    // A file of the fifth of a month has the last state of each commission before it.
    const files = new Map(known.map((state) => [getNextMonth(state.time, 5), state]));
    const arrivals = isFile
      ? [...files]
      : known.map((state) => [state.time + random.integer(2, 900) * 1_000, state] as const);
    for (const [arrival, { status, amount, time }] of arrivals) {
      if (arrival > now - silentDays * DAY_MS) continue;
      const arrivedAt = Math.round(arrival);
      const fact = { ...commission, status, amount, changeTime: Math.round(time) };
      const importId = isFile ? findImport(partner, arrivedAt) : null;
      const rawId = isFile ? null : storeRaw(partner, fact, arrivedAt);
      facts.push(buildFact(fact, { partner, account: 'main', source, clickId, rawId, importId, arrivedAt }));
    }
  }

  function addUnread(partner: string, time: number): void {
    const id = random.uuid();
    const reward = { reference: id.slice(0, 8), total: '42.00', click_reference: id, state: 'on hold' };
    const content = JSON.stringify({ event: 'reward.updated', reward });
    const problem = 'missing: id, amount';
    unread.push({ partner, source: 'webhook', arrivedAt: Math.round(time), problem, content });
  }

  function findImport(partner: string, arrivedAt: number): string {
    const file = `${partner}-${new Date(arrivedAt - 10 * DAY_MS).toISOString().slice(0, 7)}.csv`;
    const id = createHash('sha256').update(`demo ${file}`).digest('hex');
    const rows = (imports.get(id)?.rows ?? 0) + 1;
    imports.set(id, { id, partner, file, state: 'committed', rows, changedAt: arrivedAt });
    return id;
  }

  function storeRaw(partner: string, fact: ReportedFact, arrivedAt: number): string | null {
    if (arrivedAt < now - RAW_DAYS * DAY_MS) return null;
    const { nativeId, status, currency, token, changeTime } = fact;
    const id = random.uuid();
    const amount = formatDecimalAmount(fact.amount, currency);
    const message = { id: nativeId, status, amount, currency, click: token, at: changeTime };
    raw.push({ id, partner, arrivedAt, content: JSON.stringify(message) });
    return id;
  }
}

/** Noon (UTC) of a day of the month after a time, in ms since 1970. */
function getNextMonth(time: number, day: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, day, 12);
}

function simulateStates(
  program: Program & { readonly payout: Payout | null },
  amount: number,
  time: number,
  random: SeededRandom,
): State[] {
  const pending = { status: 'pending', amount, time } as const;
  if (random.chance(program.reversals)) {
    const days = random.logNormal(program.approval * 0.7, 0.5);
    return [pending, { status: 'reversed', amount: 0, time: time + days * DAY_MS }];
  }
  const approvedAt = time + random.logNormal(program.approval, 0.15) * DAY_MS;
  const approved = { status: 'approved', amount, time: approvedAt } as const;
  return [pending, approved, { status: 'paid', amount, time: findPaymentTime(program, time, approvedAt) }];
}

/** When a commission is paid: as the terms say it, else in the middle of the month after its approval. */
function findPaymentTime({ payout }: { readonly payout: Payout | null }, booked: number, approved: number) {
  if (payout === null) return getNextMonth(approved, 15);
  const [bookedDay = '', approvedDay = ''] = [booked, approved].map((time) =>
    new Date(time).toISOString().slice(0, 10),
  );
  const payday = Date.parse(`${findPayoutDay(payout, bookedDay, approvedDay)}T12:00:00Z`);
  return Math.max(payday, approved + 3_600_000);
}

/** Generates the rates of the working days from `start` to `now` (ms since 1970), as a central bank publishes them. */
export function simulateRates(start: number, now: number, random: SeededRandom): RateDay[] {
  const count = Math.floor((now - start) / DAY_MS) + 1;
  const days = Array.from({ length: count }, (_, index) => new Date(start + index * DAY_MS));
  let dollars = 1.08;
  return days.flatMap((date) => {
    if ([0, 6].includes(date.getUTCDay())) return [];
    // It returns slowly to where it began.
    dollars *= random.logNormal(1, 0.004) * (1.08 / dollars) ** 0.02;
    const rates = { USD: dollars.toFixed(4) };
    return [{ day: date.toISOString().slice(0, 10), base: 'EUR', origin: 'ecb', rates }];
  });
}
