import { z } from 'zod';
import { CONSOLE_VIEWS, type ConsoleViewKey } from '../core/console/console-view.ts';
import {
  type ConsolePreferences,
  DEFAULT_PREFERENCES,
  DIGEST_CHOICES,
  type Operator,
  type OperatorSession,
  type OperatorSetup,
  type Passkey,
  type ShareLink,
  WEEK_STARTS,
} from '../core/console/operator.ts';
import { OperatorStoreError } from './operators.ts';
import type { SqlRow } from './sql/sql-executor.ts';

const role = z.enum(['owner', 'viewer']);
const time = z.number().int();

const operator: z.ZodType<Operator> = z.object({
  id: z.string(),
  name: z.string(),
  role,
  passwordHash: z.string(),
  passkeyUserId: z.string(),
  createdAt: time,
});

const session: z.ZodType<OperatorSession> = z.object({
  id: z.string(),
  tokenHash: z.string(),
  operatorId: z.string(),
  browser: z.string(),
  createdAt: time,
  usedAt: time,
});

const setup: z.ZodType<OperatorSetup> = z.object({
  tokenHash: z.string(),
  purpose: z.string(),
  operatorId: z.string().nullable(),
  name: z.string(),
  role,
  expiresAt: time,
});

const passkey: z.ZodType<Passkey> = z.object({
  id: z.string(),
  operatorId: z.string(),
  label: z.string(),
  publicKey: z.string(),
  counter: z.number().int(),
  transports: z.string().transform((names) => names.split(' ').filter((name) => name !== '')),
  createdAt: time,
  usedAt: time.nullable(),
});

const shareLink: z.ZodType<ShareLink> = z.object({
  id: z.string(),
  tokenHash: z.string(),
  view: z.enum(CONSOLE_VIEWS.map(({ key }): ConsoleViewKey => key)),
  parameters: z.string(),
  label: z.string(),
  createdBy: z.string(),
  createdAt: time,
  expiresAt: time,
});

/** A choice that an older or newer version has written, and this one does not know, has its default. */
const preferences = z
  .array(z.object({ name: z.string(), value: z.string() }))
  .transform((rows): unknown => Object.fromEntries(rows.map(({ name, value }) => [name, value])))
  .pipe(
    z.object({
      digest: z.enum(DIGEST_CHOICES).nullable().catch(DEFAULT_PREFERENCES.digest),
      weekStart: z.enum(WEEK_STARTS).catch(DEFAULT_PREFERENCES.weekStart),
    }),
  );

/** Parsers of rows. They throw `OperatorStoreError` for a row that this program cannot have written. */
export const operatorRows = {
  operator: (row: SqlRow) => parse(operator, renameColumns(row)),
  session: (row: SqlRow) => parse(session, renameColumns(row)),
  setup: (row: SqlRow) => parse(setup, renameColumns(row)),
  passkey: (row: SqlRow) => parse(passkey, renameColumns(row)),
  shareLink: (row: SqlRow) => parse(shareLink, renameColumns(row)),
  preferences: (rows: readonly SqlRow[]): ConsolePreferences => parse(preferences, rows),
};

/** The values of a row by the names of fields: `tokenHash` for `token_hash`. */
function renameColumns(row: SqlRow) {
  const rename = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [rename(column), value]));
}

function parse<Value>(schema: z.ZodType<Value>, input: unknown): Value {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new OperatorStoreError('unavailable', 'a row has a value that this program has not written');
}
