import { z } from 'zod';
import {
  type ConsolePreferences,
  DEFAULT_PREFERENCES,
  DIGEST_CHOICES,
  WEEK_STARTS,
} from '../../core/console/console-preferences.ts';
import { CONSOLE_VIEWS, type ConsoleViewKey } from '../../core/console/console-view.ts';
import type {
  Operator,
  OperatorSession,
  OperatorSetup,
  Passkey,
  ShareLink,
} from '../../core/console/operator.ts';
import { OperatorStoreError } from '../../core/console/operator-store.ts';
import type { SqlRow } from '../sql/sql-executor.ts';

const role = z.enum(['owner', 'viewer']);
const time = z.number().int();

const operatorRow = z
  .object({
    id: z.string(),
    name: z.string(),
    role,
    password_hash: z.string(),
    passkey_user_id: z.string(),
    created_at: time,
  })
  .transform(
    (row): Operator => ({
      id: row.id,
      name: row.name,
      role: row.role,
      passwordHash: row.password_hash,
      passkeyUserId: row.passkey_user_id,
      createdAt: row.created_at,
    }),
  );

const sessionRow = z
  .object({
    id: z.string(),
    token_hash: z.string(),
    operator_id: z.string(),
    browser: z.string(),
    created_at: time,
    used_at: time,
  })
  .transform(
    (row): OperatorSession => ({
      id: row.id,
      tokenHash: row.token_hash,
      operatorId: row.operator_id,
      browser: row.browser,
      createdAt: row.created_at,
      usedAt: row.used_at,
    }),
  );

const setupRow = z
  .object({
    token_hash: z.string(),
    purpose: z.string(),
    operator_id: z.string().nullable(),
    name: z.string(),
    role,
    expires_at: time,
  })
  .transform(
    (row): OperatorSetup => ({
      tokenHash: row.token_hash,
      purpose: row.purpose,
      operatorId: row.operator_id,
      name: row.name,
      role: row.role,
      expiresAt: row.expires_at,
    }),
  );

const passkeyRow = z
  .object({
    id: z.string(),
    operator_id: z.string(),
    label: z.string(),
    public_key: z.string(),
    counter: z.number().int(),
    transports: z.string(),
    created_at: time,
    used_at: time.nullable(),
  })
  .transform(
    (row): Passkey => ({
      id: row.id,
      operatorId: row.operator_id,
      label: row.label,
      publicKey: row.public_key,
      counter: row.counter,
      transports: row.transports.split(' ').filter((transport) => transport !== ''),
      createdAt: row.created_at,
      usedAt: row.used_at,
    }),
  );

const shareRow = z
  .object({
    id: z.string(),
    token_hash: z.string(),
    view: z.enum(CONSOLE_VIEWS.map(({ key }): ConsoleViewKey => key)),
    parameters: z.string(),
    label: z.string(),
    created_by: z.string(),
    created_at: time,
    expires_at: time,
  })
  .transform(
    (row): ShareLink => ({
      id: row.id,
      tokenHash: row.token_hash,
      view: row.view,
      parameters: row.parameters,
      label: row.label,
      createdBy: row.created_by,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    }),
  );

/** A choice that an older or newer version has written, and this one does not know, has its default. */
const preferenceRows = z
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
  operator: (row: SqlRow) => parse(operatorRow, row),
  session: (row: SqlRow) => parse(sessionRow, row),
  setup: (row: SqlRow) => parse(setupRow, row),
  passkey: (row: SqlRow) => parse(passkeyRow, row),
  shareLink: (row: SqlRow) => parse(shareRow, row),
  preferences: (rows: readonly SqlRow[]): ConsolePreferences => parse(preferenceRows, rows),
};

function parse<Schema extends z.ZodType>(schema: Schema, row: SqlRow | readonly SqlRow[]): z.output<Schema> {
  const result = schema.safeParse(row);
  if (result.success) return result.data;
  throw new OperatorStoreError('unavailable', 'a row has a value that this program has not written');
}
