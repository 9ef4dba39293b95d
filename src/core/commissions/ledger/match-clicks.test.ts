import { expect, it } from 'vitest';
import { listClickCandidates, matchClicks } from './click-token.ts';

const CLICK = '0b9d6c1a-52f4-4d7b-9a3e-0c1d2e3f4a5b';
const OTHER = '0b9d6c1a-52f4-4d7b-9a3e-0c1d00000000';
const BEGINNING = CLICK.slice(0, 28);

it('matches a report to the click whose id it carries', () =>
  expect(matchClicks([listClickCandidates([CLICK])], [OTHER, CLICK])).toEqual([CLICK]));

it('matches an id that was cut off when it is the beginning of one known click', () =>
  expect(matchClicks([[BEGINNING]], [CLICK])).toEqual([CLICK]));

it('matches nothing when an id that was cut off is the beginning of several clicks', () =>
  expect(matchClicks([[BEGINNING]], [CLICK, OTHER])).toEqual([null]));

it('matches nothing to a report without the id of a known click', () =>
  expect(matchClicks([[], listClickCandidates(['a name', OTHER])], [CLICK])).toEqual([null, null]));

it('prefers the first text of a report that names a known click', () =>
  expect(matchClicks([listClickCandidates(['', OTHER, CLICK])], [CLICK, OTHER])).toEqual([OTHER]));
