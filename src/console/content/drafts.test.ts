import { expect, it } from 'vitest';
import type { Capability } from '../../core/console/capabilities.ts';
import { findPublishProblem } from './drafts.ts';

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
