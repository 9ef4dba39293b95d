import { expect, it } from 'vitest';
import { buildD1Error } from './d1-executor.ts';

it.each([
  'D1_ERROR: UNIQUE constraint failed: items.id: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_PRIMARYKEY)',
  'D1_ERROR: near "SELEC": syntax error at offset 0: SQLITE_ERROR',
  'D1_ERROR: datatype mismatch: SQLITE_MISMATCH',
  'D1_ERROR: statement too long: SQLITE_TOOBIG',
  'D1_ERROR: not authorized: SQLITE_AUTH',
  'D1_ERROR: Wrong number of parameter bindings for SQL query.',
  "D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'",
])('says that the statement is invalid: %s', (message) => {
  expect(buildD1Error(new Error(message))).toMatchObject({ name: 'SqlError', code: 'invalid' });
});

it.each([
  'D1_ERROR: Network connection lost.',
  'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1_ERROR: database or disk is full: SQLITE_FULL',
  'D1_ERROR: database is locked: SQLITE_BUSY',
  'Internal error while starting up D1 DB storage caused object to be reset.',
])('says that trying again can help: %s', (message) => {
  expect(buildD1Error(new Error(message))).toMatchObject({ name: 'SqlError', code: 'unavailable' });
});

it('keeps the error of D1 as the cause', () => {
  const error = new Error('D1_ERROR: Network connection lost.');
  expect(buildD1Error(error)).toMatchObject({ message: '[sql] Network connection lost.', cause: error });
});
