import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildExplanation } from '../src/commands/commissions/reports.ts';
import { DAY_MS } from '../src/core/clock.ts';
import type { LedgerEntry } from '../src/core/commissions/ledger/build-ledger.ts';
import { COMMISSION_STATUSES } from '../src/core/commissions/ledger/commission-fact.ts';
import { DEFAULT_TERMS } from '../src/core/commissions/ledger/commission-terms.ts';
import { LEDGER_FILE } from '../src/stores/node-databases.ts';
import { createMemoryClicks } from './support/memory-stores.ts';
import { openLedgerDatabase } from './support/node-databases.ts';
import { runCommand } from './support/run-command.ts';
import { buildSampleFact } from './support/sample-commissions.ts';
import { buildSampleVisit } from './support/sample-events.ts';
import { createTestLedger } from './support/test-ledger.ts';

// What the tables of the ledger say, folded a second time by code that shares nothing with the product's: it reads the
// rows, and writes the history of a commission down as the rules of docs/commissions.md tell it.

const HISTORIES = 2_000;
const SEED = Date.now();
const STEPS = 10;
const START = Date.parse('2025-12-01T12:00:00Z');
const YEAR_MS = 365 * DAY_MS;
const CLICKS = ['0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12', '11111111-2222-4333-8444-555555555555'];

const anyMessage = fc.record({
  step: fc.integer({ min: 0, max: STEPS - 1 }),
  status: fc.constantFrom(...COMMISSION_STATUSES),
  amount: fc.constantFrom(0, 1_000, 1_500, -700, 2 ** 40),
  currency: fc.constantFrom('USD', 'USD', 'EUR', 'JPY'),
  unstated: fc.constantFrom([], [], [], ['amount', 'currency'] as const, ['currency'] as const),
  /** Days before the message, negative for a time ahead. */
  age: fc.constantFrom(null, null, 0.1, 1, 2.5, -0.2, -300),
  isRepeated: fc.boolean(),
  token: fc.constantFrom('', 'unknown', ...CLICKS),
});
type Message = typeof anyMessage extends fc.Arbitrary<infer T> ? T : never;
/** How wrong the clock of the site is at each step. */
const anyClocks = fc.array(fc.constantFrom(0, 0, 0, 0, 3_600_000, -DAY_MS, 10 * YEAR_MS, -24 * YEAR_MS), {
  minLength: STEPS,
  maxLength: STEPS,
});

const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'independent-fold-'));
afterAll(() => rmSync(DATA_DIR, { recursive: true }));

let rows: readonly Row[];
let entries: readonly LedgerEntry[];

beforeAll(async () => {
  const histories = fc.sample(fc.array(anyMessage, { minLength: 1, maxLength: 7 }), {
    numRuns: HISTORIES,
    seed: SEED,
  });
  const [clocks = []] = fc.sample(anyClocks, { numRuns: 1, seed: SEED });
  const { ledger: store } = openLedgerDatabase(DATA_DIR, () => undefined);
  let now = START;
  const clicks = createMemoryClicks(CLICKS.flatMap(buildSampleVisit));
  const ledger = createTestLedger({ store, clicks, now: () => now });
  for (let step = 0; step < STEPS; step += 1) {
    const time = START + step * DAY_MS;
    for (const [index, partner] of ['highlevel', 'kit'].entries()) {
      // The partners report one after the other, an hour apart.
      now = time + index * 3_600_000 + (clocks[step] ?? 0);
      const reports = histories.flatMap((messages, history) =>
        history % 2 === index
          ? messages
              .filter((message) => message.step === step)
              .flatMap((message) => buildReports(message, history, time))
          : [],
      );
      await ledger.record({ partner, terms: DEFAULT_TERMS, source: 'postback', reports });
    }
  }
  entries = await ledger.readEntries();
  await store.close();
  const database = new DatabaseSync(path.join(DATA_DIR, LEDGER_FILE), { readOnly: true });
  rows = database.prepare('SELECT * FROM facts ORDER BY sequence').all() as unknown as Row[];
  database.close();
});

function buildReports({ step: _, age, isRepeated, ...message }: Message, history: number, time: number) {
  const changeTime = age === null ? null : Math.round(time - age * DAY_MS);
  const {
    content: __,
    isDated: ___,
    ...reported
  } = buildSampleFact({ ...message, nativeId: `c-${history}` });
  const report = { reported: { ...reported, eventTime: null, changeTime }, strings: [] };
  return isRepeated ? [report, report] : [report];
}

interface Row {
  readonly sequence: number;
  readonly partner: string;
  readonly native_id: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly click_id: string | null;
  readonly change_time: number;
  readonly arrived_at: number;
  readonly unstated: string;
}

const LEVELS = ['unknown', 'pending', 'approved', 'paid', 'reversed'];
const isDown = (row: Row, before: Row) => LEVELS.indexOf(row.status) < LEVELS.indexOf(before.status);
const isAhead = (row: Row, limit: number) => row.change_time !== row.arrived_at && row.change_time > limit;

/** The history of one commission: its rows from the oldest change to the newest. */
function writeHistory(facts: readonly Row[]) {
  const limits = facts.map((_, index) => Math.min(...facts.slice(index).map((row) => row.arrived_at)));
  // Rows without a credible time are milestones in the order of their arrival; others are beside one, or placed by their time.
  const milestones: { row: Row; limit: number; late: Row[]; following: Row[] }[] = [];
  const dated: Row[] = [];
  for (const [index, row] of facts.entries()) {
    const limit = limits[index] ?? 0;
    if (row.change_time !== row.arrived_at && row.change_time <= limit) {
      const before = milestones.filter((one) => !isDown(row, one.row) || row.change_time >= one.limit).at(-1);
      if (before !== undefined && before.limit >= row.change_time) before.following.push(row);
      else dated.push(row);
      continue;
    }
    let place = milestones.length;
    while (place > 0) {
      const other = milestones[place - 1];
      const isLate =
        other !== undefined &&
        isAhead(row, limit) &&
        isAhead(other.row, other.limit) &&
        row.change_time < other.row.change_time &&
        isDown(row, other.row);
      if (!isLate) break;
      place -= 1;
    }
    const next = milestones[place];
    if (next === undefined) milestones.push({ row, limit, late: [], following: [] });
    else next.late.push(row);
  }
  const byTime = (list: Row[]) =>
    list.sort((one, other) => one.change_time - other.change_time || one.sequence - other.sequence);
  const history: { row: Row; at: number; says: number | null; ahead: boolean }[] = [];
  const write = (list: Row[], at: number | null, ahead: boolean) => {
    for (const row of byTime(list))
      history.push({ row, at: at ?? row.change_time, says: row.change_time, ahead });
  };
  for (const { row, limit, late, following } of milestones) {
    write(
      dated.filter((one) => one.change_time <= limit && !history.some((done) => done.row === one)),
      null,
      false,
    );
    // Among late rows the one without a time is the milestone itself.
    write(late, limit, true);
    const says = row.change_time === row.arrived_at ? null : row.change_time;
    history.push({ row, at: limit, says, ahead: says !== null });
    write(following, limit, false);
  }
  write(
    dated.filter((one) => !history.some((done) => done.row === one)),
    null,
    false,
  );
  return history;
}

const DIGITS: Readonly<Record<string, number>> = { USD: 2, EUR: 2, JPY: 0 };

/** What a commission is worth at the end of its history. */
function readEnd(facts: readonly Row[]) {
  let last: ReturnType<typeof writeHistory>[number] | undefined;
  let worth: { amount: number; currency: string } | undefined;
  for (const step of writeHistory(facts)) {
    if (last !== undefined && isDown(step.row, last.row)) {
      const newer =
        step.says === null
          ? step.row.arrived_at !== last.row.arrived_at
          : step.ahead && !last.ahead
            ? true
            : step.says > (step.ahead === last.ahead ? (last.says ?? last.at) : last.at);
      if (!newer) continue;
    }
    last = step;
    const { status, amount, currency, unstated } = step.row;
    if (status === 'reversed') continue;
    if (worth === undefined) worth = { amount, currency };
    else if (unstated.includes('amount')) continue;
    else if (!unstated.includes('currency')) worth = { amount, currency };
    else {
      const factor = 10 ** ((DIGITS[worth.currency] ?? 2) - (DIGITS[currency] ?? 2));
      const exact = Math.abs(amount) * factor;
      worth = { amount: Math.sign(amount) * Math.floor(exact + 0.5), currency: worth.currency };
    }
  }
  const status = last?.row.status ?? '';
  const { amount, currency } = worth ?? { amount: 0, currency: last?.row.currency ?? '' };
  const isReversed = status === 'reversed';
  return {
    status,
    currency,
    amount: isReversed ? 0 : amount,
    reversed: isReversed ? amount : 0,
    isMatched: facts.some((row) => row.click_id !== null),
  };
}

const foldRows = () =>
  new Map(
    [...Map.groupBy(rows, (row) => `${row.partner} ${row.native_id}`)].map(([key, facts]) => [
      key,
      readEnd(facts),
    ]),
  );

/** Sums by partner and currency: approved, paid, pending, reversed. */
function sumUp(
  ends: Iterable<[string, ReturnType<typeof readEnd>]>,
  isIncluded: (isMatched: boolean) => boolean,
) {
  const sums: Record<string, [number, number, number, number]> = {};
  for (const [key, { status, currency, amount, reversed, isMatched }] of ends) {
    if (!isIncluded(isMatched)) continue;
    const name = `${key.split(' ')[0]} ${currency}`;
    const sum = sums[name] ?? [0, 0, 0, 0];
    sums[name] = sum;
    if (status === 'approved') sum[0] += amount;
    if (status === 'paid') sum[1] += amount;
    if (status === 'pending') sum[2] += amount;
    sum[3] += reversed;
  }
  return sums;
}

const hint = `seed ${SEED}`;

it('stored what the histories say, with repeats left out and returns', () => {
  expect(new Set(rows.map((row) => row.native_id)).size, hint).toBe(HISTORIES);
  expect(rows.length, hint).toBeGreaterThan(2 * HISTORIES);
});

it('explains every commission as the rows say', () => {
  const ends = foldRows();
  expect(entries.length, hint).toBe(ends.size);
  for (const entry of entries) {
    const { commission, click } = buildExplanation(entry);
    const { status, currency, amount, reversedAmount: reversed, id } = commission;
    const explained = { status, currency, amount, reversed, isMatched: click !== null };
    expect(explained, `${id}, ${hint}`).toEqual(ends.get(`${commission.partner} ${id}`));
  }
});

it.each(['booking', 'click'])('reports of the command line by %s day agree with the rows', async (clock) => {
  const words = ['report', '--by', 'partner', '--clock', clock, '--format', 'json'];
  const { stdout, stderr } = await runCommand('commissions', words, { DATA_DIR });
  expect(stderr).toBe('');
  const report = JSON.parse(stdout);
  const told: Record<string, unknown> = {};
  for (const { key, currencies } of report.rows) {
    for (const [currency, { approved, paid, pending, reversed }] of Object.entries<Record<string, number>>(
      currencies,
    )) {
      told[`${key} ${currency}`] = [approved, paid, pending, reversed];
    }
  }
  expect(told, hint).toEqual(sumUp(foldRows(), (isMatched) => isMatched));
  const unmatched = Object.entries<Record<string, number>>(report.unmatched.currencies).map(
    ([currency, { approved, paid, pending, reversed }]) => [
      `all ${currency}`,
      [approved, paid, pending, reversed],
    ],
  );
  expect(Object.fromEntries(unmatched), hint).toEqual(
    sumUp(
      [...foldRows()].map(([key, end]) => [`all ${key}`, end]),
      (isMatched) => !isMatched,
    ),
  );
});
