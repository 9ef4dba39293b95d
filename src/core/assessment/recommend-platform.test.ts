import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listAllAnswers } from '../../../test/support/all-answers.ts';
import { IS_FULL_LENGTH } from '../../../test/support/cases.ts';
import {
  readSampleAssessment,
  readSamplePartners,
  readSampleSavings,
} from '../../../test/support/sample-content.ts';
import {
  buildAnswersFragment,
  listChosen,
  listUnanswered,
  parseAnswers,
  parseAnswersFragment,
} from './answers.ts';
import {
  buildAdvice,
  buildComparison,
  buildConversionLabel,
  recommendPlatform,
} from './recommend-platform.ts';

const assessment = readSampleAssessment();
const { questions, outcomes } = assessment;
const all = [...listAllAnswers(questions)];
/** Every eleventh has every option beside every other one. */
const tried = all.filter((_, index) => IS_FULL_LENGTH || index % 11 === 0);

/** The table of the specification, by option key. */
const TABLE: Readonly<Record<string, string>> = {
  agency: 'GoHighLevel',
  ecommerce: 'ActiveCampaign',
  creator: 'Kit',
  local: 'HubSpot',
  saas: 'HubSpot',
  consultant: 'HubSpot',
  other: 'HubSpot',
};
const BUSINESS_TYPES = questions.find(({ field }) => field === 'businessType')?.options ?? [];

describe('every combination of answers', () => {
  it('there are 7 × 4 × 63 × 5 of them', () => {
    expect(all.length).toBe(7 * 4 * 63 * 5);
    expect(new Set(all.map((answers) => JSON.stringify(answers))).size).toBe(all.length);
  });

  it('gets the one recommendation of the table, whatever the other answers are', () => {
    for (const answers of all) {
      expect(recommendPlatform(assessment, answers.businessType).platform).toBe(TABLE[answers.businessType]);
    }
  });

  it('reaches every outcome', () => {
    const reached = new Set(all.map(({ businessType }) => recommendPlatform(assessment, businessType).key));
    expect([...reached].sort()).toEqual(outcomes.map(({ key }) => key).sort());
  });

  it('gets a line for each challenge, the budget and the revenue', () => {
    for (const answers of tried) {
      const { challenges, notes } = buildAdvice(assessment, answers);
      const labels = (field: string) =>
        questions
          .filter((question) => question.field === field)
          .flatMap((question) => listChosen(answers, question).map(({ label }) => label));
      expect(challenges.map(({ label }) => label)).toEqual(labels('challenges'));
      expect(notes.map(({ label }) => label)).toEqual([...labels('budget'), ...labels('revenue')]);
      expect([...challenges, ...notes].every(({ text }) => text.length > 20)).toBe(true);
    }
  });

  it('survives its link and its record', () => {
    for (const answers of tried) {
      const fragment = buildAnswersFragment(answers, questions);
      expect(fragment).toMatch(/^[\w=&,-]+$/);
      expect(parseAnswersFragment(`#${fragment}`, questions)).toEqual(answers);
      expect(parseAnswers(JSON.parse(JSON.stringify(answers)), questions)).toEqual(answers);
      expect(listUnanswered(answers, questions)).toEqual([]);
    }
  });
});

it('a result names no price above the budget, and nothing of another plan, without the name of its plan', () => {
  const { plans } = readSampleSavings();
  for (const answers of tried) {
    const { label = '' } =
      questions.find(({ field }) => field === 'budget')?.options.find(({ key }) => key === answers.budget) ??
      {};
    const limit = label.endsWith('+') ? Number.POSITIVE_INFINITY : Math.max(...readPrices(label));
    const { plan, reasons, dearer, challenges, notes } = buildAdvice(assessment, answers);
    const getPrice = (key: string | undefined) =>
      (plans.find((one) => one.key === key)?.monthlyCents ?? 0) / 100;
    expect(getPrice(plan)).toBeLessThanOrEqual(limit);
    for (const text of [...reasons, ...[...challenges, ...notes].map((line) => line.text)])
      expect([text, Math.max(0, ...readPrices(text)) <= limit]).toEqual([text, true]);
    for (const other of dearer) expect(getPrice(other.plan)).toBeGreaterThan(getPrice(plan));
  }
});

it.each([
  ['under-100', 'starter', ['Flat $97/month', 'All-in-one tools'], ['unlimited']],
  ['100-300', 'starter', ['Flat $97/month', 'All-in-one tools'], ['unlimited']],
  [
    '300-500',
    'unlimited',
    ['Unlimited sub-accounts', 'White-label', 'Flat $297/month', 'All-in-one tools'],
    [],
  ],
])('the reasons for an agency with the budget %s are those of the plan %s', (budget, plan, own, others) => {
  const [answers = expect.fail()] = all.filter(
    (one) => one.businessType === 'agency' && one.budget === budget,
  );
  const advice = buildAdvice(assessment, answers);
  expect(advice.plan).toBe(plan);
  expect(advice.reasons.map((text) => own.find((start) => text.startsWith(start)))).toEqual(own);
  expect(advice.dearer.map((one) => one.plan)).toEqual(others);
});

it('advice without a budget names what every plan has', () => {
  const [answers = expect.fail()] = all.filter((one) => one.businessType === 'agency');
  const { dearer, outcome } = buildAdvice(assessment, { ...answers, budget: '' });
  const plans = new Set(outcome.reasons.flatMap(({ plan }) => plan ?? []));
  expect(plans.size).toBeGreaterThan(1);
  expect(dearer.map(({ plan }) => plan)).toEqual([...plans]);
});

const readPrices = (text: string) =>
  [...text.matchAll(/\$([\d,]+)/g)].map(([, digits = '']) => Number(digits.replaceAll(',', '')));

describe('the outcomes of the specification', () => {
  it('an agency starts the 14-day trial of GoHighLevel through its pricing target', () =>
    expect(recommendPlatform(assessment, 'agency')).toMatchObject({
      partner: 'highlevel',
      partnerLink: 'pricing',
      ctaText: 'Start Your 14-Day Free Trial',
    }));

  it.each([
    ['ecommerce', 'activecampaign'],
    ['creator', 'kit'],
    ['other', 'hubspot'],
  ])('%s leads to the trial of %s', (businessType, partner) => {
    expect(recommendPlatform(assessment, businessType)).toMatchObject({ partner, partnerLink: 'trial' });
  });

  it('the reasons for an agency name sub-accounts, white-label, the flat price and the tools', () => {
    const reasons = recommendPlatform(assessment, 'agency')
      .reasons.map(({ text }) => text)
      .join('\n');
    for (const words of [
      'Unlimited sub-accounts',
      'White-label',
      '$297/month versus per-seat',
      'All-in-one tools',
    ]) {
      expect(reasons).toContain(words);
    }
  });

  it.each([[''], ['Local Business'], ['Agency'], ['__proto__'], ['<script>']])(
    'a type that is no option, %j, gets the general platform',
    (businessType) => expect(recommendPlatform(assessment, businessType).platform).toBe('HubSpot'),
  );

  it('events are labelled {businessType}_to_{platform}', () => {
    const [answers] = all;
    if (answers === undefined) throw new Error('no answers');
    const label = buildConversionLabel(answers, recommendPlatform(assessment, answers.businessType));
    expect(label).toBe('agency_to_GoHighLevel');
  });
});

describe('commission plays no part', () => {
  it('the rules know of no partner terms: none of their files imports or names them', () => {
    const files = readdirSync(import.meta.dirname).filter((name) =>
      /(?<!\.test|\.schema|-checks)\.ts$/.test(name),
    );
    expect(files).toContain('recommend-platform.ts');
    for (const file of files) {
      const code = readFileSync(path.join(import.meta.dirname, file), 'utf8').replace(
        /\/\*[\s\S]*?\*\//g,
        '',
      );
      expect(code, file).not.toMatch(/partners\/|commission|affiliate|payout|subId/i);
    }
  });

  it('the assessment carries nothing that a partner file says about pay', () => {
    const text = JSON.stringify(assessment.outcomes);
    for (const { affiliate } of readSamplePartners().values()) {
      expect(text).not.toContain(`"${affiliate?.parameter}"`);
    }
    expect(Object.keys(outcomes[0] ?? {}).sort()).toEqual(
      'budgets businessTypes challenges claims ctaPlan ctaText description key kind partner partnerLink platform reasons stops'.split(
        ' ',
      ),
    );
  });

  it('giving every outcome to another partner changes no recommendation', () => {
    const partners = outcomes.map(({ partner }) => partner).reverse();
    const swapped = {
      ...assessment,
      outcomes: outcomes.map((one, i) => ({ ...one, partner: partners[i] ?? '' })),
    };
    for (const businessType of Object.keys(TABLE)) {
      expect(recommendPlatform(swapped, businessType).platform).toBe(TABLE[businessType]);
    }
  });

  it('the order of the outcomes changes no recommendation', () => {
    const reversed = { ...assessment, outcomes: [...outcomes].reverse() };
    for (const businessType of Object.keys(TABLE)) {
      expect(recommendPlatform(reversed, businessType).platform).toBe(TABLE[businessType]);
    }
  });
});

it('the table of all platforms names every business type once, and marks the visitor’s', () => {
  for (const businessType of Object.keys(TABLE)) {
    const rows = buildComparison(assessment, { businessType, revenue: '', challenges: [], budget: '' });
    const types = rows.flatMap((row) => row.types);
    expect(types.map(({ label }) => label).sort()).toEqual(BUSINESS_TYPES.map(({ label }) => label).sort());
    const own = BUSINESS_TYPES.find(({ key }) => key === businessType)?.label;
    expect(types.filter(({ yours }) => yours)).toEqual([{ label: own, yours: true }]);
    expect(rows.map(({ chosen }) => chosen)).toEqual([true, false, false, false]);
    expect(rows[0]?.platform).toBe(TABLE[businessType]);
  }
});
