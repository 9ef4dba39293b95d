import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../../test/support/create-folder.ts';
import { createStaticFiles } from './static-files.ts';

it('has nothing at the address of a file that is gone since the start, and the others', () => {
  const root = createFolder();
  for (const name of ['a.js', 'b.js', 'b.js.br']) writeFileSync(path.join(root, name), name);
  const files = createStaticFiles(root, {});
  for (const name of ['a.js', 'b.js.br']) rmSync(path.join(root, name));
  expect([files.get('/a.js'), files.get('/b.js')]).toEqual([undefined, undefined]);
  writeFileSync(path.join(root, 'b.js.br'), 'b.js.br');
  expect(files.get('/b.js')?.status).toBe(200);
});
