import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ROOT } from '../scripts/start/pinned-node.mjs';
import { runCommand } from './support/run-command.ts';

const CONTENT_DIR = mkdtempSync(path.join(tmpdir(), 'networks-command-'));
const run = (...words: string[]) => runCommand('networks', words, { CONTENT_DIR });
const write = (name: string, text: string) => {
  writeFileSync(path.join(CONTENT_DIR, name), text);
  return path.join(CONTENT_DIR, name);
};
afterAll(() => rm(CONTENT_DIR, { recursive: true }));

it("checks the recipe's example, which shows every way", async () => {
  const recipe = readFileSync(path.join(ROOT, 'docs/recipes/add-a-network.md'), 'utf8');
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(recipe) ?? [];
  expect(await run('check', write('acme.yaml', example))).toEqual({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^(ok {4}.*\n){3}Requests, with the names of secrets:\nGET /),
  });
  const { code, stdout } = await run(
    'check',
    write('acme.yaml', example.replace('secret: test', 'secret: other')),
  );
  expect([code, stdout]).toEqual([1, expect.stringContaining('has not the signature of its secret')]);
  const [unsigned] = [
    example.replace(/^ {4}signed: .*\n/m, '').replace(/^ {2}- name: a page[\s\S]*?(?= {2}- name)/m, ''),
  ];
  expect((await run('check', write('acme.yaml', unsigned))).stdout).toContain('No message shows: interface.');
});

it('shows the requests of an interface, and ends with code 1 where no sample has the next page', async () => {
  const recipe = readFileSync(path.join(ROOT, 'docs/recipes/add-a-network.md'), 'utf8');
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(recipe) ?? [];
  const { stdout } = await run('check', write('acme.yaml', example));
  expect(stdout).toMatch(
    /GET https:\/\/api\.acme\.example\/v1\/sales\?since=[\d-]+&until=[\d-]+&limit=100\n {2}authorization: Bearer ACME_TOKEN\n/,
  );
  expect(stdout).toContain('GET https://api.acme.example/v1/sales?page=2\n');
  expect(stdout).toContain('Windows of 30 days in UTC, 31 where');
  const check = (from: string, to: string) => run('check', write('acme.yaml', example.replace(from, to)));
  expect(await check('links.next }', 'links.nextt }')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('page.from: no response among the messages has "links.nextt"'),
  });
  expect(await check('api.acme.example/v1/sales?page', 'other.example/v1/sales?page')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('next page on another host'),
  });
});

it('takes no page of an interface for a message', async () => {
  const page = {
    status: 'success',
    data: { page: 1, data: [{ conversion_id: 7, payout: '1.50', status: 'paid' }] },
  };
  const { code, stderr } = await run('new', 'paged', '--from', write('page.json', JSON.stringify(page)));
  expect([code, stderr]).toEqual([1, expect.stringContaining('has a list of commissions')]);
  expect(existsSync(path.join(CONTENT_DIR, 'networks/paged.yaml'))).toBe(false);
});

it('leaves open what a sample becomes, with every field that is not read, until somebody writes it', async () => {
  const sample =
    'action_ref=A-1&stage=LOCKED&basket=12900&earning=1935&cur=EUR&pubref=c9k2&ts=1793700672&prog=77&mood=sunny';
  const { stderr } = await run('new', 'tandem', '--from', write('sample.txt', sample));
  const says = [
    /^The sample is unconfirmed, and reads as \{ id: A-1, .*status: approved, .*currency: EUR, .*time: 2026-11-03T/,
    /its amount is whole: if it is in cents, write unit: minor/,
    /not read: basket=12900, prog=77, mood=sunny;/,
  ];
  for (const one of says) expect(stderr).toMatch(one);
  const file = readFileSync(path.join(CONTENT_DIR, 'networks/tandem.yaml'), 'utf8');
  expect(file).toContain('becomes: unconfirmed');
  for (const field of ['click: pubref', 'currency: cur', 'eventTime: ts', 'field: stage'])
    expect(file).toContain(field);
  expect(await run('check', 'tandem')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^WRONG the sample: is unconfirmed[\s\S]*Not read: basket=12900, prog=77, mood=sunny\nMessages have no signature.*\nTimes without an offset are read in UTC/,
    ),
  });
});

it.each([
  ['data[ref]=A-1&data[earned]=5.00&data[visitor]=CLICK', ['id: data[ref]', 'amount: data[earned]'], ''],
  [
    'sale_id=A-1&sale_currency=USD&payout_currency=EUR&payout=5.00&click_time=2026-11-02&converted_at=2026-11-03',
    ['currency: payout_currency', 'eventTime: converted_at', 'amount: payout'],
    '',
  ],
  [
    'ticket=soft&earned=5.00',
    ['amount: earned'],
    'looks like the id: write its path instead of FIELD_OF_THE_ID',
  ],
])('begins a file of %s with fields that it has', async (sample, fields, warning) => {
  const name = `begun-${fields.length}-${sample.length}`;
  const { stderr } = await run('new', name, '--from', write('sample.txt', sample));
  const file = readFileSync(path.join(CONTENT_DIR, `networks/${name}.yaml`), 'utf8');
  for (const field of fields) expect(file).toContain(field);
  expect(stderr).toContain(warning);
  expect(file).not.toMatch(/: id$/m);
});
