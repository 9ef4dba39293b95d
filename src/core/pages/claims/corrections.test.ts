import { describe, expect, it } from 'vitest';
import { type PageSection, sectionSchema } from '../sections/section.schema.ts';
import type { Claim } from './claim.schema.ts';
import { buildClaimMark } from './claims.ts';
import { listFacts, placeFacts } from './corrections.ts';

const buildClaim = (key: string, change: Partial<Claim>): Claim => ({
  key,
  figure: 'No fees',
  wording: 'ever',
  evidence: '',
  ...change,
});
const fact = {
  heading: 'Watch the balance',
  text: 'Texts are charged.',
  source: 'https://provider.example/',
  checked: '2026-11-21',
};
const denied = buildClaim('denied', { fact });
const open = buildClaim('open', { sample: true });
const claims = new Map([denied, open].map((claim) => [claim.key, claim]));
const D = buildClaimMark('denied', denied);
const O = buildClaimMark('open', open);
const parse = (value: object) => sectionSchema.parse(value);
const hero = parse({
  type: 'hero',
  badge: `Free${D}`,
  title: `No fees${D}`,
  lead: `We like it. There are no fees${D}. Look (first).`,
  points: [`No fees${D}`, `Many users${O}`],
});
const place = (section: PageSection, areFactsInstead: boolean, areHidden = false) =>
  placeFacts([section], claims, { isHidden: ({ sample }) => areHidden && sample === true, areFactsInstead });

describe('a claim that a source contradicts', () => {
  it('has its fact at its first mark on the page alone, which can be led back to', () => {
    expect(place(hero, false)).toEqual([
      {
        ...hero,
        title: 'No fees[†](#says-denied "denied") ==Watch the balance==',
        badge: 'Free[†](#says-denied)',
        lead: 'We like it. There are no fees[†](#says-denied). Look (first).',
        points: ['No fees[†](#says-denied)', 'Many users[†](#no-source "open")'],
      },
    ]);
    expect(listFacts(place(hero, false), claims)).toEqual([denied]);
  });

  it('gives its place to the fact at a public address, as a heading or as a sentence', () => {
    expect(place(hero, true)).toEqual([
      {
        ...hero,
        title: '[Watch the balance](#says-denied "denied")',
        badge: '[Watch the balance](#says-denied)',
        lead: 'We like it. Texts are charged. [Source](#says-denied) Look (first).',
        points: ['[Watch the balance](#says-denied)', 'Many users[†](#no-source "open")'],
      },
    ]);
    expect(listFacts(place(hero, true), claims)).toEqual([denied]);
  });

  it('gives a card and a question in its words the fact as their heading, and keeps the others', () => {
    const cards = parse({
      type: 'cards',
      title: 'Costs',
      items: [
        { title: 'No Fees', text: `No fees${D}` },
        { title: 'Meta', text: 'Stays.' },
      ],
    });
    expect(place(cards, true)[0]).toMatchObject({
      title: 'Costs',
      items: [
        { title: 'Watch the balance', text: 'Texts are charged. [Source](#says-denied "denied")' },
        { title: 'Meta', text: 'Stays.' },
      ],
    });
    const faq = parse({
      type: 'faq',
      title: 'FAQ',
      items: [
        { question: 'What does No fees mean?', answer: `No fees${D} is a claim.` },
        { question: 'Do I pay?', answer: `Yes. No fees${D} is a claim.` },
      ],
    });
    expect(place(faq, true)[0]).toMatchObject({
      items: [
        { question: 'Watch the balance', answer: 'Texts are charged. [Source](#says-denied "denied")' },
        { question: 'Do I pay?', answer: 'Yes. Texts are charged. [Source](#says-denied)' },
      ],
    });
  });

  it('leaves the paragraphs of a text where they are', () => {
    const prose = parse({
      type: 'prose',
      title: 'Text',
      body: `One.\n\nNo fees${D}.\n\n| a |\n| - |\n| b |`,
    });
    expect(place(prose, true)[0]).toMatchObject({
      body: 'One.\n\nTexts are charged. [Source](#says-denied "denied")\n\n| a |\n| - |\n| b |',
    });
  });
});

it('leaves out a claim that is hidden with its sentence, its point or its card; a title stays', () => {
  expect(place(parse({ ...hero, lead: `Fine. Many users${O}.` }), false, true)[0]).toMatchObject({
    title: expect.stringContaining('No fees'),
    lead: 'Fine.',
    points: [expect.stringContaining('No fees')],
  });
  const cards = {
    type: 'cards',
    title: `Many users${O}`,
    items: [
      { title: 'Users', text: `Many${O}` },
      { title: 'Meta', text: 'Stays.', meta: `Many${O}` },
    ],
  };
  expect(place(parse(cards), false, true)[0]).toMatchObject({
    title: `Many users${O}`,
    items: [{ title: 'Meta', text: 'Stays.' }],
  });
});

it('leaves out a list of hidden claims with its heading, unless it has an anchor', () => {
  const stats = {
    type: 'stats',
    title: 'Numbers',
    items: ['9', '8'].map((figure) => ({ figure, label: `users${O}` })),
  };
  expect(place(parse(stats), true, true)).toEqual([]);
  expect(place(parse({ ...stats, id: 'numbers' }), true, true)).toMatchObject([
    { title: 'Numbers', items: [] },
  ]);
  expect(place(parse(stats), true)).toHaveLength(1);
});

it('lets the note lead back to the first mark of a claim on a page, and leaves other sections as they are', () => {
  const section = parse({ type: 'hero', title: `Many users${O}`, lead: `Many${O}` });
  expect(place(section, true)).toEqual([{ ...section, lead: 'Many[†](#no-source)' }]);
  const unmarked = parse({ type: 'hero', title: 'Users' });
  expect(place(unmarked, true)[0]).toBe(unmarked);
});
