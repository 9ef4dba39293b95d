import { describe, expect, it } from 'vitest';
import { sectionSchema } from '../sections/section.schema.ts';
import type { Claim } from './claim.schema.ts';
import { buildClaimMark, isHiddenClaim } from './claims.ts';
import { listCorrectionsOf, placeCorrections } from './corrections.ts';

const buildClaim = (key: string, says?: Claim['sourceSays']): Claim => ({
  key,
  figure: 'No fees',
  wording: 'ever',
  evidence: '',
  sourceSays: says,
});
const denied = buildClaim('denied', {
  text: 'There are some.',
  source: 'https://provider.example/',
  checked: '2026-11-21',
});
const claims = new Map([denied, buildClaim('open')].map((claim) => [claim.key, claim]));
const D = buildClaimMark('denied', denied);
const O = buildClaimMark('open', buildClaim('open'));
const hero = sectionSchema.parse({
  type: 'hero',
  badge: `Free${D}`,
  title: `No fees${D}`,
  lead: `We like it. No fees${D}, says the offer. Look (first).`,
  points: [`No fees${D}`, `Many users${O}`],
});
const place = (mode: 'show' | 'hide contradicted', section = hero) =>
  placeCorrections([section], claims, (claim) => isHiddenClaim(claim, { claims: mode }, false))[0];

describe('a claim that a source contradicts', () => {
  it('has its correction in the section once, and its first mark alone can be led back to', () => {
    const found = place('show');
    expect(found?.corrections).toEqual([
      {
        id: 'says-0-denied',
        markId: 'mark-says-0-denied',
        figure: 'No fees',
        sourceSays: denied.sourceSays,
      },
    ]);
    expect(JSON.stringify(found?.section).match(/says-0-denied \\"first\\"/g)).toHaveLength(1);
    expect(JSON.stringify(found?.section).match(/says-0-denied/g)).toHaveLength(4);
    expect(found?.section).toMatchObject({ points: [expect.anything(), `Many users${O}`] });
  });

  it('belongs to the part of a section that makes it first', () => {
    const { section, corrections = [] } = place('show') ?? {};
    expect(section?.type === 'hero' && listCorrectionsOf(section.title, corrections)).toHaveLength(1);
    expect(section?.type === 'hero' && listCorrectionsOf(section.points, corrections)).toEqual([]);
  });

  it('is left out with its sentence or its point where the site hides such claims; a title stays', () => {
    const found = place('hide contradicted');
    expect(found?.section).toEqual({
      ...hero,
      badge: undefined,
      title: 'No fees[†](#says-0-denied "first")',
      lead: 'We like it. Look (first).',
      points: [`Many users${O}`],
    });
    expect(found?.corrections).toHaveLength(1);
  });

  it('takes the item of a list with it when the item needs the text, and not when it can be without', () => {
    const cards = sectionSchema.parse({
      type: 'cards',
      title: 'Costs',
      items: [
        { title: 'Fees', text: `No fees${D}` },
        { title: 'Meta', text: 'Stays.', meta: `No fees${D}` },
      ],
    });
    expect(place('hide contradicted', cards)?.section).toMatchObject({
      title: 'Costs',
      items: [{ title: 'Meta', text: 'Stays.' }],
    });
  });
});

it('lets the note lead back to the first mark of a claim on a page', () => {
  const section = sectionSchema.parse({ type: 'hero', title: `Many users${O}`, lead: `Many${O}` });
  expect(place('show', section)).toEqual({
    section: { ...section, lead: 'Many[†](#no-source)' },
    corrections: [],
  });
  const unmarked = sectionSchema.parse({ type: 'hero', title: 'Users' });
  expect(place('show', unmarked)?.section).toBe(unmarked);
});

it('has all of a text once on a page, and a claim with another text has its own, whatever its advice', () => {
  const short = 'Look first.';
  const source = 'https://provider.example/';
  const says = (text: string) => ({ short, text, source, checked: '2026-11-21' });
  const known = [buildClaim('one', says('A.')), buildClaim('two', says('B.'))];
  const lead = (claim: Claim) => ({
    ...hero,
    badge: undefined,
    points: [],
    title: `x${buildClaimMark(claim.key, claim)}`,
    lead: 'x',
  });
  const sections = [known[0], known[1], known[0]].flatMap((claim) => (claim ? lead(claim) : []));
  const placed = placeCorrections(sections, new Map(known.map((claim) => [claim.key, claim])), () => false);
  expect(placed.flatMap(({ corrections }) => corrections.map(({ firstId }) => firstId))).toEqual([
    undefined,
    undefined,
    'says-0-one',
  ]);
});
