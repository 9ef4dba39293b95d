import { z } from 'zod';
import { DAY_MS, WEEK_MS } from '../core/clock.ts';
import {
  buildCreditPath,
  buildLastCampaignName,
  type CreditPath,
  type FrozenJourney,
} from '../core/commissions/credit/credit.ts';
import { buildEntryAt, type LedgerEntry } from '../core/commissions/ledger/build-ledger.ts';
import {
  COMMISSION_KINDS,
  type CommissionId,
  type ReportedFact,
  type StoredFact,
} from '../core/commissions/ledger/commission-fact.ts';
import { buildDueDays, type DueDays } from '../core/commissions/ledger/due-date.ts';
import { foldCommission } from '../core/commissions/ledger/fold-commission.ts';
import { buildIdForm, buildLooseId } from '../core/commissions/ledger/message-fields.ts';
import type { CommissionDecision, LabelCredit } from '../core/commissions/ledger/stored-money.schema.ts';
import { nameDay } from '../core/commissions/local-time.ts';
import { PREDICTED_WEEKS } from '../core/commissions/ranges/maturity.ts';
import { buildSumStatements, PATH_IS_FREE, SUM_DIFFERENCES } from './commission-sums.ts';
import {
  FACT_ITEM,
  IS_COUNTED_FACT,
  LABEL_DAYS,
  LedgerError,
  parseDecisionRow,
  parseFactItem,
  parseJourneyRow,
  parseLabel,
  parseLabelDayItem,
} from './ledger-rows.ts';
import type { Database, SqlRow, SqlValue } from './sql/sql-executor.ts';
import { buildListStatements, readItems } from './sql/statements.ts';

/** A commission whose row is to be folded; `mark`: the newest note that says so. */
export interface MarkedCommission extends CommissionId {
  readonly mark: number;
}

/** The id of a network whose commissions are to be credited again. */
export interface MarkedLabel {
  readonly partner: string;
  readonly label: string;
  readonly mark: number;
}

const ID_COLUMNS = ['partner', 'account', 'native_id'] as const;
export type FoldedRow = readonly SqlValue[];

/** What a row depends on besides its commission: what it was folded by, the days of moments, and the source that counts. */
interface RowContext {
  readonly fold: string;
  readonly getDay: (time: number) => number;
  /** In the time zone of the program. */
  readonly getProgramDay: (time: number) => number;
  readonly source: string | null;
}
type RowParts = LedgerEntry & RowContext & { readonly due: DueDays };

/** The columns of a row that one commission decides by itself, after its id, with what each has. */
const OWN = {
  fold: ({ fold }) => fold,
  first_fact: ({ facts }) => Math.min(...facts.map(({ sequence }) => sequence)),
  last_arrival: ({ facts }) => Math.max(...facts.map(({ arrivedAt }) => arrivedAt)),
  kind: ({ commission }) => commission.kind,
  status: ({ commission }) => commission.status,
  amount: ({ commission }) => commission.amount,
  reversed_amount: ({ commission }) => commission.reversedAmount,
  currency: ({ commission }) => commission.currency,
  sale_amount: ({ commission }) => commission.saleAmount,
  event_time: ({ commission }) => commission.eventTime,
  change_time: ({ commission }) => commission.changeTime,
  token: ({ commission }) => commission.token,
  click_id: ({ commission }) => commission.clickId,
  click_time: ({ commission }) => commission.clickTime,
  clicked_at: ({ journey }) => journey?.clickTime ?? null,
  page: ({ journey }) => journey?.page ?? null,
  placement: ({ journey }) => journey?.placement ?? null,
  campaign: ({ journey }) => journey && buildLastCampaignName(journey),
  is_test: ({ commission }) => Number(commission.isTest),
  is_dismissed: ({ commission }) => Number(commission.isDismissed),
  is_returned: ({ commission }) => Number(commission.isReturned),
  is_disputed: ({ commission }) => Number(commission.isDisputed),
  conflicts: ({ commission }) => JSON.stringify(commission.conflicts.map(({ sequence }) => sequence)),
  label: ({ commission: { label } }) =>
    label === undefined ? null : JSON.stringify([label.id, label.item, label.name, label.items]),
  label_id: ({ commission: { label } }) => label?.id ?? null,
  label_day: ({ commission: { label, eventTime }, getDay }) =>
    label === undefined ? null : nameDay(getDay(eventTime)),
  first_arrival: ({ facts }) => Math.min(...facts.map(({ arrivedAt }) => arrivedAt)),
  path: ({ journey }) => journey && formatPath(buildCreditPath(journey)),
  booked_day: ({ commission, getDay }) => getDay(commission.eventTime),
  click_day: ({ commission, journey, getDay }) => getDay(journey?.clickTime ?? commission.eventTime),
  program_day: ({ due }) => due.programDay,
  settled_day: ({ due }) => due.settledDay,
  paid_day: ({ due }) => due.paidDay,
  settle_days: ({ due }) => due.settleDays,
  has_payment: ({ due }) => Number(due.hasPayment),
  approval_time: getApprovalTime,
  states: buildStates,
  reported: ({ commission, facts, source }) =>
    source === null ? commission.amount : foldCommission(facts).amount,
  id_form: ({ commission: { nativeId } }) => {
    const form = buildIdForm(nativeId);
    return form === nativeId ? null : form;
  },
  loose_id: ({ commission }) => buildLooseId(commission.nativeId),
} satisfies Readonly<Record<string, (parts: RowParts) => SqlValue>>;
const OWN_COLUMNS = Object.keys(OWN) as (keyof typeof OWN)[];
const OWN_VALUES = Object.values(OWN);

/** The columns of a whole row, as `buildFoldedRow` and `readRows` give their values. */
export const FOLDED_COLUMNS = [
  ...ID_COLUMNS,
  ...OWN_COLUMNS,
  'is_counted',
  'is_later_payment',
  'labelled',
] as const;
const CLICK_ID = FOLDED_COLUMNS.indexOf('click_id');

/** Builds the values of the row of a commission, in the order of `FOLDED_COLUMNS`. */
export function buildFoldedRow(entry: LedgerEntry, context: RowContext): FoldedRow {
  const { commission, isCounted, isLaterPayment = false, labelled } = entry;
  const parts = { ...entry, ...context, due: buildDueDays(entry, context.getProgramDay) };
  return [
    commission.partner,
    commission.account,
    commission.nativeId,
    ...OWN_VALUES.map((read) => read(parts)),
    Number(isCounted),
    Number(isLaterPayment),
    labelled === undefined ? null : JSON.stringify(labelled),
  ];
}

function formatPath(path: CreditPath): string {
  const { page, placement, entryPage, partner, isClickCounted, campaigns, paidCampaign, sources } = path;
  const { isFree, paidSource, pages, answers } = path;
  const own = [page, placement, entryPage, partner, Number(isClickCounted) + (isFree ? PATH_IS_FREE : 0)];
  return JSON.stringify([...own, campaigns, paidCampaign, sources, paidSource, pages, answers]);
}

/** From the booking to the first approval, in ms; null for one that was approved at once or not yet. */
function getApprovalTime({ commission, facts }: LedgerEntry): number | null {
  const times = facts
    .filter(({ status }) => status === 'approved' || status === 'paid')
    .map(({ changeTime }) => changeTime);
  if (times.length === 0 || !facts.some(({ status }) => status === 'pending')) return null;
  return Math.max(0, Math.min(...times) - commission.eventTime);
}

/** What a commission that counts was after each arrival but the last; null without any. */
function buildStates({ source, ...entry }: RowParts): string | null {
  const arrivals = [...new Set(entry.facts.map(({ arrivedAt }) => arrivedAt))].sort(
    (one, other) => one - other,
  );
  const states = arrivals.slice(0, -1).flatMap((time) => {
    const commission = buildEntryAt(entry, time, source)?.commission;
    if (commission === undefined) return [];
    return [[time, commission.status, commission.amount, commission.reversedAmount, commission.currency]];
  });
  return states.length === 0 ? null : JSON.stringify(states);
}

/** Each element of a list begins with the id of a commission and its mark. */
const FIND = ID_COLUMNS.map((column, index) => `own.${column} = given.value ->> ${index}`).join(' AND ');
const GIVEN = `json_each(?) AS given CROSS JOIN folded_commissions AS own ON ${FIND}`;
/** Another process that has folded it since has removed the mark. */
const IS_MARKED = 'EXISTS (SELECT 1 FROM fold_marks WHERE sequence = given.value ->> 3)';
const NOTE_CLICKS = `INSERT OR IGNORE INTO fold_clicks SELECT click_id FROM ${GIVEN} WHERE click_id IS NOT NULL`;
const NOTE_LABELS = `INSERT INTO label_marks (partner, label)
  SELECT DISTINCT partner, label_id FROM ${GIVEN} WHERE label_id IS NOT NULL`;
const REMOVE_ROWS = `DELETE FROM folded_commissions WHERE id IN (SELECT own.id FROM ${GIVEN} WHERE ${IS_MARKED})`;
const COUNT_COLUMNS = ['is_valid', 'is_counted', 'is_later_payment'];
const IS_COUNTED = OWN_COLUMNS.length + 4;
/** Where a list of rows has a column: after its id it has its mark. */
const getGiven = (column: (typeof OWN_COLUMNS)[number]) =>
  `given.value ->> ${OWN_COLUMNS.indexOf(column) + 4}`;
const WRITE_PATHS = `INSERT OR IGNORE INTO commission_visits (path)
  SELECT DISTINCT ${getGiven('path')} FROM json_each(?) AS given WHERE ${getGiven('path')} IS NOT NULL`;
const WRITE_ROWS = `INSERT INTO folded_commissions (${[...ID_COLUMNS, ...OWN_COLUMNS, ...COUNT_COLUMNS].join(', ')})
  SELECT ${[0, 1, 2].map((index) => `given.value ->> ${index}`).join(', ')}, ${OWN_COLUMNS.map((column) =>
    column === 'path'
      ? `(SELECT id FROM commission_visits WHERE path = ${getGiven(column)})`
      : getGiven(column),
  ).join(', ')}, given.value ->> ${IS_COUNTED}, given.value ->> ${IS_COUNTED}, 0
  FROM json_each(?) AS given WHERE ${IS_MARKED}
  ON CONFLICT (partner, account, native_id) DO UPDATE SET
    labelled = iif(label_id = excluded.label_id, labelled, NULL), ${[...OWN_COLUMNS, ...COUNT_COLUMNS].map((column) => `${column} = excluded.${column}`).join(', ')}`;
/** A journey that was stored or changed while its commission was folded for the first time has found no row to mark. */
const MARK_MOVED = `INSERT INTO fold_marks (partner, account, native_id) SELECT own.partner, own.account, own.native_id FROM ${GIVEN}
  LEFT JOIN journeys ON journeys.click_id = own.click_id
  WHERE own.click_id IS NOT NULL AND ifnull(journeys.sequence, 0) <> given.value ->> ${IS_COUNTED + 1}`;
const SELECT_JOURNEYS = `SELECT sequence, journey FROM json_each(?) AS given CROSS JOIN journeys ON click_id = given.value`;
const NOTE_NEW_CLICKS = `INSERT OR IGNORE INTO fold_clicks SELECT ${getGiven('click_id')} FROM json_each(?) AS given
  WHERE ${getGiven('click_id')} IS NOT NULL`;
const IS_CHANGED = 'click_id IN (SELECT click_id FROM fold_clicks)';
const NOTE_ROWS = `INSERT OR IGNORE INTO fold_rows SELECT own.id FROM ${GIVEN}`;
const NOTE_CLICKED_ROWS = `INSERT OR IGNORE INTO fold_rows SELECT id FROM folded_commissions WHERE ${IS_CHANGED}`;
/** As `dropCoveredTotals`. */
const COUNT_ROWS = `UPDATE folded_commissions SET is_counted = is_valid AND NOT (native_id GLOB 'sub:*'
    AND EXISTS (SELECT 1 FROM folded_commissions AS other WHERE other.click_id = folded_commissions.click_id
      AND other.partner = folded_commissions.partner AND other.is_valid AND other.native_id NOT GLOB 'sub:*'))
  WHERE ${IS_CHANGED}`;
/** What each click has brought before and after each of its commissions; afterwards as far as it is predicted. */
const ORDER_AMOUNTS = `UPDATE folded_commissions SET before_decided = placed.decided, before_pending = placed.pending,
    after_booked = placed.later, previous_day = placed.previous
  FROM (SELECT id, total(iif(status = 'pending', 0, booked)) OVER earlier AS decided,
      total(iif(status = 'pending', booked, 0)) OVER earlier AS pending,
      total(iif(event_time - clicked_at > ${PREDICTED_WEEKS * WEEK_MS}, 0, booked)) OVER later AS later,
      ifnull(max(iif(is_counted, booked_day, NULL)) OVER earlier, -1) AS previous
    FROM (SELECT *, iif(is_counted AND clicked_at IS NOT NULL AND status <> 'unknown', amount, 0) AS booked,
      json_array(partner, account, native_id) AS key FROM folded_commissions WHERE ${IS_CHANGED})
    WINDOW earlier AS (PARTITION BY click_id, currency ORDER BY event_time, key ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
      later AS (PARTITION BY click_id, currency ORDER BY event_time, key ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)) AS placed
  WHERE placed.id = folded_commissions.id
    AND (before_decided, before_pending, after_booked, previous_day) IS NOT (decided, pending, later, previous)`;
/** As `markLaterPayments`. */
const ORDER_PAYMENTS = `UPDATE folded_commissions SET is_later_payment = placed.is_later
  FROM (SELECT id, is_payment AND row_number() OVER (PARTITION BY click_id, is_payment ORDER BY event_time, key) > 1 AS is_later
    FROM (SELECT id, click_id, event_time, json_array(partner, account, native_id) AS key,
      is_counted AND clicked_at IS NOT NULL AND status <> 'unknown' AND amount > 0 AS is_payment
      FROM folded_commissions WHERE ${IS_CHANGED})) AS placed
  WHERE placed.id = folded_commissions.id AND placed.is_later <> folded_commissions.is_later_payment`;
/** What is counted of a label decides how its money is shared. */
const NOTE_COUNTED = `INSERT INTO label_marks (partner, label)
  SELECT DISTINCT partner, label_id FROM folded_commissions WHERE label_id IS NOT NULL AND ${IS_CHANGED}`;
const WRITE_LABELLED = `UPDATE folded_commissions SET labelled = given.value ->> 1 FROM json_each(?) AS given
  WHERE folded_commissions.id = given.value ->> 0 AND EXISTS (SELECT 1 FROM label_marks WHERE sequence = ?)`;
const SELECT_FACTS = `SELECT sequence, ${FACT_ITEM} AS item FROM json_each(?2) AS given CROSS JOIN facts AS own ON ${FIND}
  WHERE sequence > ?1 AND ${IS_COUNTED_FACT}`;
const SELECT_DECISIONS = `SELECT own.* FROM json_each(?) AS given CROSS JOIN decisions AS own ON ${FIND} ORDER BY sequence`;
const SELECT_MARKS = `SELECT partner, account, native_id, max(sequence) AS mark
  FROM (SELECT * FROM fold_marks ORDER BY sequence LIMIT ?) GROUP BY partner, account, native_id ORDER BY mark`;
const SELECT_PARTNERS = `WITH RECURSIVE known (partner) AS (SELECT min(partner) FROM folded_commissions
  UNION ALL SELECT (SELECT min(partner) FROM folded_commissions AS next WHERE next.partner > known.partner) FROM known
  WHERE partner IS NOT NULL) SELECT partner FROM known WHERE partner IS NOT NULL`;
/** Two ranges of an index: what is unequal would be looked for in all rows. */
const SELECT_OUTDATED = `SELECT value ->> 0 AS partner FROM json_each(?) AS given
  WHERE EXISTS (SELECT 1 FROM folded_commissions WHERE partner = value ->> 0 AND fold < value ->> 1)
    OR EXISTS (SELECT 1 FROM folded_commissions WHERE partner = value ->> 0 AND fold > value ->> 1)`;
const buildOther = (sign: string) =>
  `SELECT * FROM (SELECT partner, account, native_id FROM folded_commissions WHERE partner = ?1 AND fold ${sign} ?2 LIMIT ?3)`;
const MARK_OTHERS = `INSERT INTO fold_marks (partner, account, native_id) ${buildOther('<')} UNION ALL ${buildOther('>')}`;

const SELECT_LABELLED = `SELECT first_fact AS sequence, json_array(id, kind, amount, reversed_amount, event_time, is_counted,
  clicked_at IS NULL, label, labelled) AS item FROM folded_commissions WHERE first_fact > ? AND partner = ? AND label_id = ?`;
const SELECT_UNMATCHED = `SELECT partner, account, native_id, token FROM folded_commissions
  WHERE clicked_at IS NULL AND is_dismissed = 0 AND token <> '' ORDER BY first_fact`;
const SELECT_SUMS = `SELECT event_time / 900000 * 900000 AS time, currency, count(*) AS commissions, sum(amount) AS sum
  FROM folded_commissions WHERE is_counted GROUP BY 1, 2`;

const parseId = (row: SqlRow): CommissionId => ({
  partner: String(row['partner']),
  account: String(row['account']),
  nativeId: String(row['native_id']),
});

/**
 * The rows of folded commissions, in the database of the ledger, and the marks of what is to be folded. Each method rejects
 * with `LedgerError`.
 */
export class FoldedCommissions {
  readonly #database: Database;

  /** The database is that of the ledger. */
  constructor(database: Database) {
    this.#database = database;
  }

  /** The commissions that wait for their fold the longest; `upTo`: the position of their marks. */
  async readMarked(
    limit: number,
  ): Promise<{ readonly ids: readonly MarkedCommission[]; readonly upTo: number }> {
    const ids = (await this.#database.read(SELECT_MARKS, limit)).map((row) => ({
      ...parseId(row),
      mark: Number(row['mark']),
    }));
    return { ids, upTo: ids.at(-1)?.mark ?? 0 };
  }

  /** Everything that is known of some commissions, in the order of arrival. */
  async readMessages(ids: readonly CommissionId[]): Promise<{
    readonly facts: readonly StoredFact[];
    readonly decisions: readonly CommissionDecision[];
    /** By click id, with their positions. */
    readonly journeys: ReadonlyMap<string, FrozenJourney>;
    readonly positions: ReadonlyMap<string, number>;
  }> {
    const list = JSON.stringify(ids.map(({ partner, account, nativeId }) => [partner, account, nativeId]));
    const [facts, decisions] = await Promise.all([
      readItems(this.#database, SELECT_FACTS, [list], parseFactItem),
      this.#database.read(SELECT_DECISIONS, list),
    ]);
    const clickIds = [...facts.map(({ clickId }) => clickId), ...decisions.map((row) => row['click_id'])];
    const wanted = JSON.stringify([...new Set(clickIds)].filter((id) => id !== null));
    const rows = await this.#database.read(SELECT_JOURNEYS, wanted);
    const known = rows.map((row) => ({ journey: parseJourneyRow(row), position: Number(row['sequence']) }));
    return {
      facts,
      decisions: decisions.map(parseDecisionRow),
      journeys: new Map(known.map(({ journey }) => [journey.clickId, journey])),
      positions: new Map(known.map(({ journey, position }) => [journey.clickId, position])),
    };
  }

  /**
   * Stores the rows of commissions that were marked, removes those of the others of the list, and with them the marks, in one
   * transaction. Whatever was marked since is marked still. `positions`: of the journeys that were read, by click id.
   */
  async write(
    ids: readonly MarkedCommission[],
    rows: readonly FoldedRow[],
    positions: ReadonlyMap<unknown, number>,
    upTo: number,
  ): Promise<void> {
    const getKey = (id: readonly unknown[]) => JSON.stringify(id.slice(0, ID_COLUMNS.length));
    const marked = ids.map(
      ({ partner, account, nativeId, mark }) => [partner, account, nativeId, mark] as const,
    );
    const byKey = new Map(rows.map((row) => [getKey(row), row]));
    const written = marked.flatMap((id) => {
      const row = byKey.get(getKey(id));
      return row === undefined
        ? []
        : [[...id, ...row.slice(3, IS_COUNTED), positions.get(row[CLICK_ID]) ?? 0]];
    });
    const noted = [NOTE_CLICKS, NOTE_LABELS].flatMap((sql) => buildListStatements(sql, marked));
    const notedRows = [...buildListStatements(NOTE_ROWS, marked), { sql: NOTE_CLICKED_ROWS }];
    await this.#database.batch([
      ...noted,
      ...buildListStatements(NOTE_NEW_CLICKS, written),
      ...notedRows,
      ...buildSumStatements(-1),
      ...buildListStatements(
        REMOVE_ROWS,
        marked.filter((id) => !byKey.has(getKey(id))),
      ),
      ...[WRITE_PATHS, WRITE_ROWS, MARK_MOVED].flatMap((sql) => buildListStatements(sql, written)),
      ...noted,
      ...[COUNT_ROWS, NOTE_COUNTED, ORDER_PAYMENTS, ORDER_AMOUNTS].map((sql) => ({ sql })),
      ...notedRows,
      ...buildSumStatements(1),
      { sql: 'DELETE FROM fold_clicks' },
      { sql: 'DELETE FROM fold_marks WHERE sequence <= ?', values: [upTo] },
    ]);
  }

  /** Labels whose commissions are to be credited again. */
  async readMarkedLabels(): Promise<readonly MarkedLabel[]> {
    const sql = 'SELECT partner, label, max(sequence) AS mark FROM label_marks GROUP BY partner, label';
    const rows = await this.#database.read(sql);
    return rows.map(({ partner, label, mark }) => ({
      partner: String(partner),
      label: String(label),
      mark: Number(mark),
    }));
  }

  /** The commissions of a label, as far as their credit depends on them, with the weights of its days. */
  async readLabelled({ partner, label }: Omit<MarkedLabel, 'mark'>) {
    const days = `${LABEL_DAYS} WHERE sequence > ? AND partner = ? AND label = ?`;
    const [rows, labelDays] = await Promise.all([
      readItems(this.#database, SELECT_LABELLED, [partner, label], parseLabelledItem),
      readItems(this.#database, days, [partner, label], parseLabelDayItem),
    ]);
    return { rows, labelDays };
  }

  /** Stores the credit of commissions of a label, by their rows; null: none. */
  async writeLabelled(
    { partner, label, mark }: MarkedLabel,
    credits: readonly (readonly [id: number, credit: LabelCredit | null])[],
  ): Promise<void> {
    const rows = credits.map(([id, credit]) => [id, credit === null ? null : JSON.stringify(credit)]);
    await this.#database.batch([
      ...buildListStatements('INSERT OR IGNORE INTO fold_rows SELECT value ->> 0 FROM json_each(?)', rows),
      ...buildSumStatements(-1),
      ...buildListStatements(WRITE_LABELLED, rows, mark),
      ...buildSumStatements(1),
      {
        sql: 'DELETE FROM label_marks WHERE partner = ? AND label = ? AND sequence <= ?',
        values: [partner, label, mark],
      },
    ]);
  }

  /** Whether any id is stored in another spelling than that in which ids are compared. */
  async hasSpellings(): Promise<boolean> {
    const sql = 'SELECT 1 FROM folded_commissions WHERE id_form IS NOT NULL LIMIT 1';
    return (await this.#database.readRow(sql)) !== undefined;
  }

  /** The ids that are stored in another spelling, by the form in which they are compared. */
  async readSpellings(partner: string, account: string, forms: readonly string[]) {
    const sql = `SELECT id_form, native_id FROM folded_commissions WHERE partner = ? AND account = ? AND id_form IS NOT NULL
      AND id_form IN (SELECT value FROM json_each(?)) ORDER BY id DESC`;
    const rows = await this.#database.read(sql, partner, account, JSON.stringify(forms));
    return new Map(rows.map((row) => [String(row['id_form']), String(row['native_id'])]));
  }

  /**
   * Of commissions, those that another partner or account has or had with the same amount, at most a day apart, under an id that differs by
   * zeros in front, case, spaces or signs alone; by id.
   */
  async readElsewhere(
    { partner, account }: Omit<CommissionId, 'nativeId'>,
    reports: readonly ReportedFact[],
  ) {
    const list = reports.map(({ nativeId, amount, currency, eventTime }) => [
      nativeId,
      buildLooseId(nativeId),
      amount,
      currency,
      eventTime,
    ]);
    const sql = `SELECT value ->> 0 AS id, own.partner, own.account, own.native_id FROM json_each(?)
      CROSS JOIN folded_commissions AS row ON row.loose_id = value ->> 1 AND (row.partner, row.account) <> (?, ?)
      CROSS JOIN facts AS own ON (own.partner, own.account, own.native_id) = (row.partner, row.account, row.native_id)
      WHERE own.amount = value ->> 2 AND own.currency = value ->> 3 AND abs(own.event_time - value ->> 4) <= ${DAY_MS}
        AND own.is_test = 0 AND ${IS_COUNTED_FACT}`;
    const rows = await this.#database.read(sql, JSON.stringify(list), partner, account);
    return new Map(rows.map((row) => [String(row['id']), parseId(row)]));
  }

  /** The partners that have commissions. */
  async readPartners(): Promise<readonly string[]> {
    return (await this.#database.read(SELECT_PARTNERS)).map(({ partner }) => String(partner));
  }

  /** How many commissions wait for their fold, as far as they are counted. */
  async countMarked(limit: number): Promise<number> {
    const sql = 'SELECT count(*) AS count FROM (SELECT 1 FROM fold_marks LIMIT ?)';
    return Number((await this.#database.readRow(sql, limit))?.['count'] ?? 0);
  }

  /** The partners with rows that were folded by something else than what `buildFold` says. */
  async readOutdated(buildFold: (partner: string) => string): Promise<readonly string[]> {
    const partners = await this.readPartners();
    const folds = JSON.stringify(partners.map((partner) => [partner, buildFold(partner)]));
    return (await this.#database.read(SELECT_OUTDATED, folds)).map(({ partner }) => String(partner));
  }

  /** Marks commissions of a partner that were folded by something else; resolves with how many, of twice the limit. */
  markOthers(partner: string, fold: string, limit: number): Promise<number> {
    return this.#database.change(MARK_OTHERS, partner, fold, limit);
  }

  /** Commissions without a known click whose messages have named one, unless an operator has dismissed them. */
  async readUnmatched(): Promise<readonly (CommissionId & { readonly token: string })[]> {
    const rows = await this.#database.read(SELECT_UNMATCHED);
    return rows.map((row) => ({ ...parseId(row), token: String(row['token']) }));
  }

  /** Sums what counts by currency and quarter of an hour (ms since 1970), of which every time zone has whole days. */
  async readSums() {
    return (await this.#database.read(SELECT_SUMS)).map(({ time, currency, commissions, sum }) => ({
      time: Number(time),
      currency: String(currency),
      commissions: Number(commissions),
      sum: Number(sum),
    }));
  }

  /** Compares all sums with the rows: which differ, some of each table. */
  async readDifferentSums() {
    const lists = await Promise.all(SUM_DIFFERENCES.map((sql) => this.#database.read(sql)));
    return lists.flat().map(({ sums, key }) => ({ sums: String(sums), key: String(key) }));
  }

  /** Reads all rows, in pages that have all of each of their clicks. */
  async *readRows(): AsyncGenerator<readonly FoldedRow[]> {
    const columns = FOLDED_COLUMNS.map((column) => (column === 'path' ? 'known.path' : `own.${column}`));
    const read = (where: string) => `SELECT own.id, own.click_id, json_array(${columns.join(', ')}) AS item
      FROM folded_commissions AS own LEFT JOIN commission_visits AS known ON known.id = own.path WHERE ${where}`;
    const end = `(SELECT max(click_id) FROM (SELECT click_id FROM folded_commissions WHERE click_id > ?1 ORDER BY click_id
      LIMIT ${ROWS_PER_PAGE}))`;
    const clicked = read(`click_id > ?1 AND click_id <= ${end} ORDER BY click_id`);
    const others = read(`own.id > ?1 AND click_id IS NULL ORDER BY own.id LIMIT ${ROWS_PER_PAGE}`);
    for (const [sql, first, key] of [[clicked, '', 'click_id'] as const, [others, 0, 'id'] as const])
      for (let last: SqlValue = first; last !== null; ) {
        const page = await this.#database.read(sql, last);
        yield page.map(({ item }) => foldedItem.parse(JSON.parse(String(item))));
        last = page.at(-1)?.[key] ?? null;
      }
  }

  /** The commissions without a row that messages are about, in pages; those of imports that do not count are among them. */
  async *readMissing(): AsyncGenerator<readonly CommissionId[]> {
    const sql = `SELECT max(sequence) AS last, partner, account, native_id FROM facts AS own WHERE sequence > ? AND NOT EXISTS
      (SELECT 1 FROM folded_commissions AS row WHERE (row.partner, row.account, row.native_id) = (own.partner, own.account, own.native_id))
      GROUP BY sequence ORDER BY sequence LIMIT ${ROWS_PER_PAGE}`;
    for (let last: SqlValue = 0; last !== null; ) {
      const page = await this.#database.read(sql, last);
      yield page.map(parseId);
      last = page.at(-1)?.['last'] ?? null;
    }
  }

  /** The ids of networks that rows have. */
  async readLabels(): Promise<readonly Omit<MarkedLabel, 'mark'>[]> {
    const sql = 'SELECT DISTINCT partner, label_id FROM folded_commissions WHERE label_id IS NOT NULL';
    const rows = await this.#database.read(sql);
    return rows.map((row) => ({ partner: String(row['partner']), label: String(row['label_id']) }));
  }
}

const ROWS_PER_PAGE = 1_000;
const foldedItem = z.array(z.union([z.string(), z.number(), z.null()]));

const labelledItem = z.tuple([
  z.number(),
  z.enum(COMMISSION_KINDS),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.string(),
  z.string().nullable(),
]);

function parseLabelledItem(item: unknown) {
  const { data } = labelledItem.safeParse(item);
  if (data === undefined) throw new LedgerError('unavailable', 'folded_commissions has an unreadable row');
  const [id, kind, amount, reversedAmount, eventTime, isCounted, isUnclicked, label, stored] = data;
  return {
    id,
    stored,
    isCounted: isCounted === 1,
    isUnclicked: isUnclicked === 1,
    commission: { kind, amount, reversedAmount, eventTime, label: parseLabel(label, id) },
  };
}
