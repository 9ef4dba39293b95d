import { z } from 'zod';
import { RATE_ORIGINS } from '../exchange-rates.ts';
import { DAY_ORDERS } from '../local-time.ts';
import { MEANINGS, type Meaning } from '../networks/network.schema.ts';
import { COMMISSION_STATUSES } from './commission-fact.ts';
import { AMOUNT_UNITS, MESSAGE_MEANINGS } from './message-mapping.ts';

/** A decision about a commission that matched no click when it arrived, as it is stored. The newest decision applies. */
export const decisionSchema = z.object({
  /** Grows by arrival; unique. */
  sequence: z.number(),
  partner: z.string(),
  account: z.string(),
  nativeId: z.string(),
  /** `reset` takes an earlier decision back. */
  action: z.enum(['assign', 'dismiss', 'reset']),
  /** The click (UUID) that the commission is assigned to; null for the other actions. */
  clickId: z.string().nullable(),
  /** `match`: the click became known after the commission had arrived. */
  origin: z.enum(['operator', 'match']),
  /** ms since 1970. */
  decidedAt: z.number(),
});
export type CommissionDecision = Readonly<z.output<typeof decisionSchema>>;
export type NewDecision = Omit<CommissionDecision, 'sequence'>;

/** A commission as a network's own list has it: without a click, so that it only checks what was reported. */
export const listedSchema = z.object({
  /** Key of the partner's file. */
  partner: z.string(),
  /** The network's id. */
  id: z.string(),
  /** Minor units of `currency`; 0 once it is denied. */
  amount: z.number(),
  /** ISO 4217. */
  currency: z.string(),
  /** When it arose; ms since 1970. */
  time: z.number(),
});
export type ListedCommission = Readonly<z.output<typeof listedSchema>>;

/** What the fields of a partner's messages mean: the operator has said it once, for all messages with these names. */
export const mappingSchema = z.object({
  /** The path of the field by what it means, such as `data.commission.value`. */
  fields: z.partialRecord(z.enum(MESSAGE_MEANINGS), z.string().max(400)),
  unit: z.enum(AMOUNT_UNITS),
});
export type MessageMapping = Readonly<z.output<typeof mappingSchema>>;

/** The rates of one day from one origin. */
export const rateDaySchema = z.object({
  /** `YYYY-MM-DD`. */
  day: z.string(),
  /** ISO 4217 code of the currency of which one unit is priced: EUR in the files of the European Central Bank. */
  base: z.string(),
  origin: z.enum(RATE_ORIGINS),
  /** Price of one unit of `base` by currency, as a plain decimal: `{ USD: '1.0832' }`. */
  rates: z.record(z.string(), z.string()),
});
export type RateDay = Readonly<z.output<typeof rateDaySchema>>;

/** Which pages an id of a network stands for on a day (`YYYY-MM-DD`), as it is stored once and for all. */
export const labelDaySchema = z.object({
  partner: z.string(),
  label: z.string(),
  day: z.string(),
  /** Whether it names one page, so that no share is needed. */
  isOne: z.boolean(),
  /** The name of its group. */
  name: z.string(),
  /** Pages with their weights, integers of at least 0; all are 0 where no click was counted. */
  pages: z.array(z.tuple([z.string(), z.number()]).readonly()).readonly(),
});
export type LabelDay = Readonly<z.output<typeof labelDaySchema>>;

/** To what money is credited by its id. */
export const creditSchema = z.object({
  /**
   * How money without a click id is known: `label`, the id names one page; `share`, divided among the pages of its group by
   * clicks; `group`, too little of it for a share.
   */
  how: z.enum(['label', 'share', 'group']),
  label: z.string(),
  name: z.string(),
  pages: labelDaySchema.shape.pages,
});
export type LabelCredit = Readonly<z.output<typeof creditSchema>>;

/** A message that is due, claimed by the caller that got it. */
export const claimedMessageSchema = z.object({
  partner: z.string(),
  account: z.string(),
  nativeId: z.string(),
  /** `purchase`: a commission has found its click. `refund`: it was taken back in full. */
  name: z.enum(['purchase', 'refund']),
  /** The click (UUID) whose visit consented. */
  clickId: z.string(),
  /** Minor units of `currency`, above 0. */
  amount: z.number(),
  /** ISO 4217. */
  currency: z.string(),
  /** How often it was tried, this time included. */
  attempts: z.number(),
});
export type ClaimedMessage = Readonly<z.output<typeof claimedMessageSchema>>;
/** Something that analytics learns about a commission, once. */
export type AnalyticsMessage = Omit<ClaimedMessage, 'attempts'>;

/** A payment that arrived on the account of the operator. Days: `YYYY-MM-DD`. Amounts: minor units. */
export const arrivedPaymentSchema = z.object({
  partner: z.string(),
  account: z.string(),
  /** Of the payment, as the partner reports it. */
  currency: z.string(),
  /** When it was due, or reported as paid: with partner, account and currency it names the payment. */
  dueDay: z.string(),
  /** How much of what the partner reports it was for. */
  covers: z.number(),
  arrivedDay: z.string(),
  amount: z.number(),
  arrivedCurrency: z.string(),
});
export type ArrivedPayment = Readonly<z.output<typeof arrivedPaymentSchema>>;

/** What the operator says about a file of commissions or of costs, and what is remembered for the next one of its source. */
export const importProfileSchema = z.object({
  /** For a file that names no currency. */
  currency: z.string().optional(),
  timeZone: z.string().optional(),
  /** Left out: as the dates of the file show. */
  dayOrder: z.enum(DAY_ORDERS).optional(),
  /** The sign before decimals, where amounts such as 1.234 do not say it. */
  decimal: z.enum(['.', ',']).optional(),
  /** Header by kind of column, where the detection is wrong; empty: no column is of that kind. */
  columns: z.record(z.string(), z.string()).optional(),
  /** Headers of columns that are not used. */
  unused: z.array(z.string()).optional(),
  /** What words of the status mean, in lower case. */
  statuses: z.record(z.string(), z.enum(COMMISSION_STATUSES)).optional(),
  /** The header of the ids of the last file. */
  id: z.string().optional(),
  /** Whether rows that look like known commissions with other ids are these, or others; of one file alone. */
  alike: z.enum(['same', 'other']).optional(),
  /** Whether a row that is equal to an earlier one of its file is the same commission, or another; of one file alone. */
  repeated: z.enum(['same', 'other']).optional(),
  /** Whether what a guessed report brings was compared with the network's own page; of one file alone. */
  isChecked: z.boolean().optional(),
});
export type ImportProfile = Readonly<z.output<typeof importProfileSchema>>;

export type ReportColumn = Meaning;

/** Every kind of column, for messages and checks. */
export const REPORT_COLUMNS: readonly ReportColumn[] = MEANINGS;

/** The header of each column that was found; null for those that the file does not have. */
export type ColumnMap = Readonly<Record<ReportColumn, string | null>>;

/** The columns that were found, with null for the others. */
export const completeColumns = (found: Readonly<Partial<Record<ReportColumn, string | null>>>) =>
  Object.fromEntries(REPORT_COLUMNS.map((name) => [name, found[name] ?? null])) as ColumnMap;

/** How the rows of a file are read. One that was stored by an earlier version lacks what has a default, and names fewer columns. */
export const rowFormatSchema = z.object({
  /** The network whose report it is. */
  network: z.string().default('generic'),
  columns: z.partialRecord(z.enum(REPORT_COLUMNS), z.string().nullable()).transform(completeColumns),
  /** For rows without a currency of their own: that of the heading, else what the operator said. */
  currency: z.string(),
  timeZone: z.string(),
  dayOrder: z.enum([...DAY_ORDERS, 'unknown']),
  decimal: z.enum(['.', ',', 'unknown']),
  /** The columns that are not read and may say that a row is taken back. */
  watched: z.array(z.string()).readonly().default([]),
  /** All columns that are not read. */
  unread: z.array(z.string()).readonly().default([]),
  /** The operator's meanings of words of the status. */
  statuses: z.record(z.string(), z.enum(COMMISSION_STATUSES)).optional(),
  /** When the file is imported; ms since 1970. */
  now: z.number(),
});
export type RowFormat = Readonly<z.output<typeof rowFormatSchema>>;
