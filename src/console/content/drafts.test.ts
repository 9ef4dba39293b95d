import { expect, it } from 'vitest';
import type { Capability } from '../../core/console/capabilities.ts';
import { findPublishProblem, isDraft } from './drafts.ts';

it.each([
  ['pages/a.yaml', 'draft: true\n', true],
  ['products/a.yaml', 'draft: true\n', true],
  ['articles/a.md', '---\ndraft: true\n---\nText.\n', true],
  ['articles/a.md', '---\ntitle: A\n---\ndraft: true\n', false],
  ['pages/a.yaml', 'draft: false\n', false],
  ['pages/a.yaml', 'draft: "true"\n', false],
  ['pages/a.yaml', 'draft: 1\n', false],
  ['pages/a.yaml', 'title: A\n', false],
  ['pages/a.yaml', 'draft: true\n  a: [', false],
  // Visitors see these in any case.
  ['partners/a.yaml', 'draft: true\n', false],
  ['authors/a.yaml', 'draft: true\n', false],
  ['site.yaml', 'draft: true\n', false],
])('of %s with the text %j, it says: a draft is %s', (file, text, expected) => {
  expect(isDraft(file, text)).toBe(expected);
});

const DRAFT = 'draft: true\n';
const SHOWN = 'draft: false\n';

it.each<[capabilities: readonly Capability[], texts: readonly string[], problem: RegExp | null]>([
  [['content', 'publish'], [SHOWN, SHOWN], null],
  [['content'], [DRAFT, DRAFT], null],
  [['content'], [DRAFT], null],
  [['content'], [SHOWN, DRAFT], /ask an operator who may publish/],
  [['content'], [DRAFT, SHOWN], /ask an operator who may publish/],
  [['publish'], [DRAFT], /not edit it/],
  [['money', 'manage'], [DRAFT], /not edit it/],
])('who may %j changes texts %j: %s', (capabilities, texts, problem) => {
  const viewer = { kind: 'operator', id: 'o-1', name: 'Eve', capabilities } as const;
  const found = findPublishProblem(viewer, 'pages/a.yaml', texts);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toMatch(problem);
});
