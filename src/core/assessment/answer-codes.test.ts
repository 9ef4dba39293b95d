import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listAllAnswers } from '../../../test/support/all-answers.ts';
import { forAll } from '../../../test/support/for-all.ts';
import { readSampleAssessment } from '../../../test/support/sample-content.ts';
import { type Answers, createAnswerCodeParser, NO_ANSWER_CODES } from './answers.ts';

const { questions } = readSampleAssessment();
const parseAnswerCodes = createAnswerCodeParser(questions);
const UNKNOWN = { businessType: 'business', budget: 'budget_unspecified' };
const BUDGETS = ['budget_low', 'budget_mid', 'budget_high', 'budget_enterprise'];

/** Codes of the specification by label; the shipped file has the keys beside the options. */
const BUSINESS: readonly (readonly [string, string])[] = [
  ['Digital Marketing Agency', 'agency'],
  ['E-commerce Store', 'ecommerce'],
  ['Course Creator/Coach', 'creator'],
  ['Local Business', 'local'],
  ['Local Service Business', 'local'],
  ['SaaS Company', 'saas'],
  ['SaaS/Tech Company', 'saas'],
  ['Consultant/Freelancer', 'business'],
  ['Other', 'business'],
];
const BUDGET: readonly (readonly [string, string])[] = [
  ['Under $100', 'budget_low'],
  ['$100 - $300', 'budget_low'],
  ['$300 - $500', 'budget_low'],
  ['Under $500/month', 'budget_low'],
  ['$500 - $1,000', 'budget_mid'],
  ['$500 – $1,000', 'budget_mid'],
  ['$500-$1,000/month', 'budget_mid'],
  ['$1,000+', 'budget_high'],
  ['$1,000-$2,500/month', 'budget_high'],
  ['$2,500+/month', 'budget_enterprise'],
];
const REVENUE: readonly (readonly [string, string])[] = [
  ['Just starting (Under $5K)', 'under-5k'],
  ['Growing ($5K - $25K)', '5k-25k'],
  ['Scaling ($25K - $100K)', '25k-100k'],
  ['Established ($100K+)', '100k-plus'],
];
const CHALLENGES: readonly (readonly [string, string])[] = [
  ['Lead generation and acquisition', 'leads'],
  ['Email marketing and automation', 'email'],
  ['Client/customer management', 'clients'],
  ['Sales funnel optimization', 'funnels'],
  ['Integration between tools', 'integration'],
  ['High costs of current tools', 'costs'],
];
const TABLE = { businessType: BUSINESS, budget: BUDGET, revenue: REVENUE, challenges: CHALLENGES };

/** The code of the specification for an option key of the shipped file. */
function expectedCode(field: keyof Answers, key: string): string {
  const label = questions.find((one) => one.field === field)?.options.find((one) => one.key === key)?.label;
  return new Map(TABLE[field]).get(label ?? '') ?? 'missing';
}

it('keys get the codes of the specification, for every combination of answers', () => {
  for (const answers of listAllAnswers(questions)) {
    expect(parseAnswerCodes(answers)).toEqual({
      businessType: expectedCode('businessType', answers.businessType),
      budget: expectedCode('budget', answers.budget),
      revenue: expectedCode('revenue', answers.revenue),
      challenges: answers.challenges.map((key) => expectedCode('challenges', key)),
      unknown: UNKNOWN,
    });
  }
});

it('labels of records stored earlier get the same codes as the keys', () => {
  const label = (field: keyof Answers, key: string) =>
    questions.find((one) => one.field === field)?.options.find((one) => one.key === key)?.label ?? '';
  for (const answers of listAllAnswers(questions)) {
    const labels = {
      businessType: label('businessType', answers.businessType),
      budget: label('budget', answers.budget),
      revenue: label('revenue', answers.revenue),
      challenges: answers.challenges.map((key) => label('challenges', key)),
    };
    expect(parseAnswerCodes(labels)).toEqual(parseAnswerCodes(answers));
  }
});

it('a copy edit of every label changes no code of a stored key', () => {
  const edited = createAnswerCodeParser(
    questions.map((question) => ({
      ...question,
      options: question.options.map((option, index) => ({ ...option, label: `New wording ${index}` })),
    })),
  );
  for (const answers of listAllAnswers(questions)) {
    expect(edited(answers)).toEqual(parseAnswerCodes(answers));
  }
});

it.each<readonly [string, string]>([
  ...BUSINESS,
  ['', ''],
  ['constructor', 'business'],
  ['agency', 'agency'],
  ['Bakery', 'business'],
])('business type %j is %j', (label, code) => {
  expect(parseAnswerCodes({ businessType: label }).businessType).toBe(code);
});

it.each<readonly [string, string]>([
  ...BUDGET,
  ['', ''],
  ['a lot', 'budget_unspecified'],
  ['budget_mid', 'budget_mid'],
])('budget %j is %j', (label, code) => expect(parseAnswerCodes({ budget: label }).budget).toBe(code));

it.each<readonly [string, string]>([...REVENUE, ['', ''], ['100k-plus', '100k-plus'], ['a fortune', '']])(
  'revenue %j is %j',
  (label, code) => expect(parseAnswerCodes({ revenue: label }).revenue).toBe(code),
);

it('challenges are in option order, each once, without unknown ones', () => {
  const challenges = [
    'High costs of current tools',
    'Lead generation and acquisition',
    'costs',
    'nonsense',
    'Email marketing and automation',
  ];
  expect(parseAnswerCodes({ challenges }).challenges).toEqual(['leads', 'email', 'costs']);
});

it('an option without a code gets the code of an unknown answer', () => {
  const parse = createAnswerCodeParser(
    questions.map((question) => ({
      ...question,
      options: question.options.map(({ key, label }) => ({ key, label })),
    })),
  );
  expect(
    parse({ businessType: 'agency', budget: '100-300', revenue: 'growing', challenges: ['leads'] }),
  ).toEqual({
    businessType: 'business',
    budget: 'budget_unspecified',
    revenue: '',
    challenges: [],
    unknown: UNKNOWN,
  });
});

it.each([
  ['nothing', null],
  ['text', 'agency'],
  ['a list', [[]]],
  ['values of other types', { businessType: 5, challenges: 'leads', budget: {}, revenue: null }],
])('a record that is %s has no codes', (_, record) => {
  expect(parseAnswerCodes(record)).toEqual({ ...NO_ANSWER_CODES, unknown: UNKNOWN });
});

it('any record at all gives codes of the specification, and never throws', () =>
  forAll(1, [fc.anything()], (record) => {
    const { businessType, budget, revenue, challenges } = parseAnswerCodes(record);
    expect(['', 'agency', 'ecommerce', 'creator', 'local', 'saas', 'business']).toContain(businessType);
    expect(['', UNKNOWN.budget, ...BUDGETS]).toContain(budget);
    expect(['', 'under-5k', '5k-25k', '25k-100k', '100k-plus']).toContain(revenue);
    expect(['leads', 'email', 'clients', 'funnels', 'integration', 'costs']).toEqual(
      expect.arrayContaining([...challenges]),
    );
  }));
