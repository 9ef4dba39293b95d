import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import { createClaimUsesReader } from './collect-claim-uses.ts';

it('reads the files again when one was changed, added or removed, and only then', () => {
  const root = createFolder();
  const write = (name: string, text: string) => writeFileSync(path.join(root, name), text);
  const readUses = createClaimUsesReader(root);
  const claims = new Map();
  const read = () => readUses(claims);
  write('page.yaml', 'text: costs {claim:price}');
  const first = read();
  expect([...first.uses.keys()]).toEqual(['price']);
  expect(read()).toBe(first);
  write('page.yaml', 'text: it has a {claim:trial} too');
  expect([...read().uses.keys()]).toEqual(['trial']);
  write('other.yaml', 'text: costs {claim:price}');
  expect([...read().uses.keys()].sort()).toEqual(['price', 'trial']);
  write('other.yaml', 'text: "costs {claim:trial}');
  expect([...read().uses.keys()].sort(), 'while a file is broken').toEqual(['price', 'trial']);
  write('other.yaml', 'text: costs {claim:price} again');
  rmSync(path.join(root, 'page.yaml'));
  expect([...read().uses.keys()]).toEqual(['price']);
});
