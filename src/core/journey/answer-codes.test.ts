import { describe, expect, it } from 'vitest';
import { buildBudgetCode, buildBusinessCode, buildChallengeCodes, buildRevenueCode } from './answer-codes.ts';
import { parseAnswers } from './answers.ts';

describe('codes of answers', () => {
  it.each([
    ['Digital Marketing Agency', 'agency'],
    ['E-commerce Store', 'ecommerce'],
    ['Course Creator/Coach', 'creator'],
    ['Local Business', 'local'],
    ['Local Service Business', 'local'],
    ['SaaS Company', 'saas'],
    ['SaaS/Tech Company', 'saas'],
    ['Consultant/Freelancer', 'business'],
    ['Other', 'business'],
    ['', 'business'],
    ['constructor', 'business'],
    ['agency', 'agency'],
  ])('business type %j is %s', (label, code) => {
    expect(buildBusinessCode(label)).toBe(code);
  });

  it.each([
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
    ['', 'budget_unspecified'],
    ['a lot', 'budget_unspecified'],
    ['budget_mid', 'budget_mid'],
  ])('budget %j is %s', (label, code) => {
    expect(buildBudgetCode(label)).toBe(code);
  });

  it.each([
    ['Just starting (Under $5K)', 'under-5k'],
    ['Growing ($5K - $25K)', '5k-25k'],
    ['Scaling ($25K - $100K)', '25k-100k'],
    ['Established ($100K+)', '100k-plus'],
    ['', ''],
    ['100k-plus', '100k-plus'],
  ])('revenue %j is %j', (label, code) => {
    expect(buildRevenueCode(label)).toBe(code);
  });

  it('challenges stand in option order, each once, unknown ones left out', () => {
    expect(
      buildChallengeCodes([
        'High costs of current tools',
        'Lead generation and acquisition',
        'costs',
        'nonsense',
        'Email marketing and automation',
      ]),
    ).toEqual(['leads', 'email', 'costs']);
  });
});

describe('stored answers', () => {
  const none = { businessType: '', budget: '', revenue: '', challenges: [] };
  it.each([
    ['nothing', null, none],
    ['odd types', { businessType: 5, challenges: 'x', budget: {}, revenue: null }, none],
    [
      'answers',
      { businessType: ' Other\n', challenges: ['a', 3] },
      { ...none, businessType: 'Other', challenges: ['a'] },
    ],
  ])('%s', (_, record, answers) => {
    expect(parseAnswers(record)).toEqual(answers);
  });
});
