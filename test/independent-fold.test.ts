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
import { IS_FULL_LENGTH, SEED } from './support/cases.ts';
import { createMemoryClicks } from './support/memory-stores.ts';
import { openLedgerDatabase } from './support/node-databases.ts';
import { runCommand } from './support/run-command.ts';
import { buildSampleFact } from './support/sample-commissions.ts';
import { buildSampleVisit } from './support/sample-events.ts';
import { createTestLedger, readEntries } from './support/test-ledger.ts';

// What the tables of the ledger say, folded a second time by code that shares nothing with the product's: it reads the
// rows, and writes the history of a commission down as the rules of docs/commissions.md tell it.

const HISTORIES = IS_FULL_LENGTH ? 2_000 : 500;
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
  const histories = fc.sample(fc.array(anyMessage, { minLength: 1, maxLength: 7 }), HISTORIES);
  const [clocks = []] = fc.sample(anyClocks, 1);
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
  entries = await readEntries(ledger);
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
const DIGITS: Readonly<Record<string, number>> = { USD: 2, EUR: 2, JPY: 0 };

/** A row in the story of its commission. */
interface Told {
  readonly row: Row;
  readonly level: number;
  readonly kind: 'dated' | 'undated' | 'ahead';
  /** What it arrived as: its own place in the ledger, or that of the fact that counts as arrived after it. */
  order: number;
  /** When it arrived at the latest, as far as the rows after it tell. */
  arrival: number;
}

function readTold(facts: readonly Row[]): Told[] {
  return facts.map((row, index) => {
    const arrival = Math.min(...facts.slice(index).map((later) => later.arrived_at));
    const kind =
      row.change_time === row.arrived_at ? 'undated' : row.change_time > arrival ? 'ahead' : 'dated';
    return { row, level: LEVELS.indexOf(row.status), kind, order: row.sequence, arrival };
  });
}

/** The facts without a usable time, in the order in which they count as arrived. */
function lineUp(told: readonly Told[]): readonly Told[] {
  const line: Told[] = [];
  for (const one of told.filter(({ kind }) => kind !== 'dated')) {
    let end = line.length;
    const overtakes = (other: Told | undefined) =>
      one.kind === 'ahead' &&
      other?.kind === 'ahead' &&
      other.row.change_time > one.row.change_time &&
      other.level > one.level;
    while (overtakes(line[end - 1])) end -= 1;
    const next = line[end];
    if (next !== undefined) [one.order, one.arrival] = [next.order, next.arrival];
    line.splice(end, 0, one);
  }
  return line;
}

/** Which fact stands before which: answers for each dated one and each of the line, and whether dates changed one. */
function compareWithLine(told: readonly Told[], line: readonly Told[]) {
  const dated = told.filter(({ kind }) => kind === 'dated');
  const isEarlier = (one: Told, other: Told) => one.row.change_time < other.row.change_time;
  const follows = new Map<Told, Set<Told>>();
  let isChanged = false;
  for (const one of dated.toSorted((a, b) => a.row.change_time - b.row.change_time)) {
    const isLate = (other: Told) => one.row.change_time < other.arrival && one.level < other.level;
    const arrived = line.filter(({ order }) => order < one.row.sequence);
    const own = new Set(arrived.slice(0, arrived.findLastIndex((other) => !isLate(other)) + 1));
    const after = line.filter((other) => {
      // A fact with a later time had arrived before it.
      if (dated.some((later) => isEarlier(one, later) && later.row.sequence < other.order)) return false;
      return own.has(other) || dated.some((first) => isEarlier(first, one) && follows.get(first)?.has(other));
    });
    if (after.length !== own.size) isChanged = true;
    follows.set(one, new Set(after));
  }
  return { follows, isChanged };
}

/** The story from the oldest change to the newest, and whether arrivals and times tell different ones. */
function tellStory(facts: readonly Row[]) {
  const told = readTold(facts);
  const line = lineUp(told);
  const { follows, isChanged } = compareWithLine(told, line);
  const comesBefore = (one: Told, other: Told): boolean => {
    if (one.kind === 'dated' && other.kind === 'dated') return one.row.change_time < other.row.change_time;
    if (one.kind === 'dated') return follows.get(one)?.has(other) !== true;
    if (other.kind === 'dated') return follows.get(other)?.has(one) === true;
    return line.indexOf(one) < line.indexOf(other);
  };
  const story: Told[] = [];
  let left = told;
  while (left.length > 0) {
    const next = left.find((one) => left.every((other) => other === one || !comesBefore(other, one)));
    if (next === undefined) throw new Error(`no first fact among ${JSON.stringify(left)}`);
    story.push(next);
    left = left.filter((one) => one !== next);
  }
  const ahead = story.filter(({ kind }) => kind === 'ahead').map(({ row }) => row.change_time);
  return { story, isDisputed: isChanged || ahead.some((time, index) => time < (ahead[index - 1] ?? 0)) };
}

/** Whether a fact lowers the status of the one before it and is not newer. */
function isRefused(one: Told, before: Told | undefined): boolean {
  if (before === undefined || one.level >= before.level) return false;
  if (one.kind === 'undated') return one.row.arrived_at === before.row.arrived_at;
  if (one.kind === 'ahead') return before.kind === 'ahead' && one.row.change_time <= before.row.change_time;
  return one.row.change_time <= (before.kind === 'dated' ? before.row.change_time : before.arrival);
}

const inCurrency = (amount: number, from: string, to: string) =>
  Math.round((amount / 10 ** (DIGITS[from] ?? 2)) * 10 ** (DIGITS[to] ?? 2));

/** What a commission is in the end. */
function readEnd(facts: readonly Row[]) {
  const { story, isDisputed } = tellStory(facts);
  let now: Told | undefined;
  let money: { readonly amount: number; readonly currency: string } | undefined;
  let isToCheck = isDisputed;
  for (const one of story) {
    if (isRefused(one, now)) {
      isToCheck = true;
      continue;
    }
    now = one;
    const { status, amount, currency, unstated } = one.row;
    if (status === 'reversed') continue;
    if (money === undefined) money = { amount, currency };
    else if (unstated.includes('amount')) continue;
    else if (unstated.includes('currency'))
      money = { amount: inCurrency(amount, currency, money.currency), currency: money.currency };
    else money = { amount, currency };
  }
  const { status = '', currency = '' } = now?.row ?? {};
  const isReversed = status === 'reversed';
  return {
    status,
    currency: money?.currency ?? currency,
    amount: isReversed ? 0 : (money?.amount ?? 0),
    reversed: isReversed ? (money?.amount ?? 0) : 0,
    isMatched: facts.some(({ click_id }) => click_id !== null),
    isToCheck,
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
    const { commission, click, conflicts } = buildExplanation(entry);
    const { status, currency, amount, reversedAmount: reversed, id } = commission;
    const isToCheck = conflicts.some((conflict) => conflict !== 'return' && conflict !== 'other-partner');
    const explained = { status, currency, amount, reversed, isMatched: click !== null, isToCheck };
    expect(explained, `${id}, ${hint}`).toEqual(ends.get(`${commission.partner} ${id}`));
  }
});

it('reports of the command line agree with the rows', async () => {
  const words = ['report', '--by', 'partner', '--format', 'json'];
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
