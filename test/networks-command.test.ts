import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
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
    ...{ code: 0, stderr: '' },
    stdout: 'ok    taken back\nok    a page\nok    a row\n',
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

it.each([
  ['data[ref]=A-1&data[earned]=5.00&data[visitor]=CLICK', ['id: data[ref]', 'amount: data[earned]'], ''],
  [
    'ticket=soft&earned=5.00',
    ['amount: earned'],
    'looks like the id: write its path instead of FIELD_OF_THE_ID',
  ],
])('begins a file of %s with fields that it has', async (sample, fields, warning) => {
  const name = `begun-${fields.length}`;
  const { stderr } = await run('new', name, '--from', write('sample.txt', sample));
  const file = readFileSync(path.join(CONTENT_DIR, `networks/${name}.yaml`), 'utf8');
  for (const field of fields) expect(file).toContain(field);
  expect(stderr).toContain(warning);
  expect(file).not.toMatch(/: id$/m);
});
