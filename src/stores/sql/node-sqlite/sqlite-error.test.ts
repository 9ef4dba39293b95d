import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { describeSqliteError } from './sqlite-error.ts';

const FILE = import.meta.filename;

it.each([
  ['a folder below a file', () => mkdirSync(`${FILE}/data`, { recursive: true })],
  ['a file that is missing', () => readFileSync(`${FILE}.missing`)],
  ['a folder in place of a file', () => writeFileSync(import.meta.dirname, '')],
  ['a database below a file', () => new DatabaseSync(`${FILE}/events.sqlite`)],
])('describes %s without a path of the machine', (_, fail) => {
  let message = '';
  try {
    fail();
  } catch (error) {
    message = describeSqliteError(error);
  }
  expect(message).not.toBe('');
  expect(message).not.toContain('/');
});
