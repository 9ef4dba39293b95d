import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { CAPABILITIES } from '../src/core/console/capabilities.ts';
import { hashSecretToken } from '../src/server/http/secret-token.ts';
import { openOperatorStore } from './support/node-databases.ts';
import { runCommand } from './support/run-command.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'operator-'));
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command; resolves with its output, or with what it complains about after `failed: `. */
async function run(...words: string[]): Promise<string> {
  const env = { DATA_DIR: folder, SITE_URL: 'https://site.example' };
  const { code, stdout, stderr } = await runCommand('operator', words, env);
  return code === 0 ? stdout : `failed: ${stderr}`;
}

const readToken = (output: string) =>
  /^Console: https:\/\/site\.example\/console\/setup\/([\w-]{43})$/m.exec(output)?.[1] ?? '';

it('prints one-time addresses, lists and removes operators, while the database is open elsewhere', async () => {
  const first = readToken(await run());
  const store = openOperatorStore(folder, () => undefined);
  try {
    const operator = {
      id: 'o-1',
      name: 'Ada',
      capabilities: CAPABILITIES,
      passwordHash: 'x',
      passkeyUserId: 'u',
    } as const;
    const complete = (token: string, changes: object = {}) =>
      store.completeSetup(hashSecretToken(token), { ...operator, createdAt: 1, ...changes }, Date.now());
    const renewed = readToken(await run());
    expect(renewed).not.toBe(first);
    expect(await complete(first)).toBe(false);
    expect(await complete(renewed)).toBe(true);

    expect(await run()).toBe(
      'Console: https://site.example/console\nConsole on this machine: http://localhost:4321/console\n',
    );
    expect(await run('list')).toMatch(/^Ada +money,content,publish,manage +1970-/m);
    expect(await run('remove', 'ada')).toContain('last operator who manages');
    expect(await run('reset', 'Eve')).toBe('failed: There is no operator "Eve". Operators: Ada.\n');
    expect(await run('invite', ' ADA ')).toContain('There is an operator');

    const invited = readToken(await run('invite', 'Bob', '--can', 'publish'));
    expect(await store.findSetup(hashSecretToken(invited), Date.now())).toMatchObject({
      name: 'Bob',
      capabilities: ['content', 'publish'],
      operatorId: null,
    });
    expect(await complete(invited, { id: 'o-2', name: 'Bob', capabilities: ['content', 'publish'] })).toBe(
      true,
    );
    expect(await run('change', 'bob', '--can', 'money, manage')).toBe('Bob: See money, manage\n');
    expect(await run('change', 'Ada', '--can', 'none')).toBe('Ada: Look\n');
    expect(await run('change', 'Bob', '--can', 'money')).toContain('last operator who manages');
    expect(await run('change', 'Bob')).toContain('change needs --can');
    expect(await run('change', 'Bob', '--can', 'owner')).toContain('or none, not "owner"');
    expect((await store.findOperator('Bob'))?.capabilities).toEqual(['money', 'manage']);
    expect(await run('change', 'Ada', '--can', 'manage')).toBe('Ada: Manage\n');
    const reset = readToken(await run('reset', 'bob'));
    expect(await store.findSetup(hashSecretToken(reset), Date.now())).toMatchObject({ operatorId: 'o-2' });
    expect(await run('remove', 'Bob')).toBe('removed: Bob\n');
    expect((await store.readOperators()).map(({ name }) => name)).toEqual(['Ada']);
  } finally {
    await store.close();
  }
});
