import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkCopy } from '../scripts/commands/content.ts';

it('the shipped content has no fault of copy', () => {
  expect(checkCopy(path.resolve(import.meta.dirname, '../content'))).toEqual([]);
});

it('names the file and line of a rejected word, and two sections of rows in a row', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'copy-'));
  try {
    mkdirSync(path.join(root, 'pages'));
    const sections = 'sections:\n  - { type: outcomes }\n  - { type: cards, variant: rows }\n';
    writeFileSync(
      path.join(root, 'pages/offer.yaml'),
      `title: Beside the point\nlead: Put it beside it\n${sections}`,
    );
    expect(checkCopy(root)).toEqual([
      { kind: 'style', file: 'content/pages/offer.yaml:2', text: '"beside": write "next to"' },
      {
        kind: 'style',
        file: 'content/pages/offer.yaml',
        text: 'section 2 looks like the section before it, change its type or variant',
      },
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('files that cannot be read are left to the check of the content', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(path.join(folder, 'site.yaml'));
  expect(checkCopy(folder)).toEqual([]);
});
