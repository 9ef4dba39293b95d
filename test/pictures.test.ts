import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../scripts/start/pinned-node.mjs';
import { LIST, listNavigation, PICTURES } from './support/pictures.ts';

const TAKE = 'take the pictures again: npm test -- pictures';

it('the documents show each picture that is taken, and no other', () => {
  const names = Object.keys(LIST).sort();
  const texts = globSync(['README.md', 'docs/**/*.md'], { cwd: ROOT }).map((file) =>
    readFileSync(path.join(ROOT, file), 'utf8'),
  );
  const shown = texts.flatMap((text) => [...text.matchAll(/images\/([\w-]+\.(?:webp|png))/g)]);
  const own = shown.map(([, name = '']) => name).filter((name) => !name.startsWith('photo'));
  expect([...new Set(own)].sort()).toEqual(names);
  expect(readdirSync(PICTURES).sort()).toEqual([...names, 'navigation.json'].sort());
});

it.each(Object.keys(LIST))('%s shows the navigation that its view has', (name) => {
  const taken = JSON.parse(readFileSync(path.join(PICTURES, 'navigation.json'), 'utf8'));
  expect(taken[name], TAKE).toEqual(listNavigation(name));
});
