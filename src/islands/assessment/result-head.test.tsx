import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { listAllAnswers } from '../../../test/support/all-answers.ts';
import { readShippedAssessment, readShippedPartners } from '../../../test/support/shipped-content.ts';
import type { AssessmentAnswers } from '../../core/assessment/answers.ts';
import { recommend } from '../../core/assessment/recommend.ts';
import { parseGoLink } from '../../core/journey/go-link.ts';
import { matchGoPath } from '../../core/journey/go-path.ts';
import { buildOutboundUrl } from '../../core/journey/outbound.ts';
import { ResultHead } from './result-head.tsx';

const assessment = readShippedAssessment();
const partners = readShippedPartners();

/** Codes as the decisions state them. */
const BUSINESS: Readonly<Record<string, string>> = {
  'Digital Marketing Agency': 'agency',
  'E-commerce Store': 'ecommerce',
  'Course Creator/Coach': 'creator',
  'Local Service Business': 'local',
  'SaaS/Tech Company': 'saas',
  'Consultant/Freelancer': 'business',
  Other: 'business',
};
const BUDGET: Readonly<Record<string, string>> = {
  'Under $100': 'budget_low',
  '$100 - $300': 'budget_low',
  '$300 - $500': 'budget_low',
  '$500 - $1,000': 'budget_mid',
  '$1,000+': 'budget_high',
};
const REVENUE: Readonly<Record<string, string>> = {
  'Just starting (Under $5K)': 'under-5k',
  'Growing ($5K - $25K)': '5k-25k',
  'Scaling ($25K - $100K)': '25k-100k',
  'Established ($100K+)': '100k-plus',
};
const CHALLENGES: Readonly<Record<string, string>> = {
  'Lead generation and acquisition': 'leads',
  'Email marketing and automation': 'email',
  'Client/customer management': 'clients',
  'Sales funnel optimization': 'funnels',
  'Integration between tools': 'integration',
  'High costs of current tools': 'costs',
};
const TARGETS: Readonly<Record<string, string>> = {
  agency: 'https://www.gohighlevel.com/pricing?fp_ref=hlmax',
  ecommerce: 'https://www.activecampaign.com/free?_r=',
  creator: 'https://kit.com/pricing?lmref=',
};
const TARGET_OF_OTHERS = 'https://www.hubspot.com/products/get-started?irpid=';

/** Attributes of the call to action of a result, decoded. */
function readCall(answers: AssessmentAnswers, reduced = false): Map<string, string> {
  const html = renderToStaticMarkup(
    <ResultHead
      copy={assessment.copy.results}
      outcome={recommend(assessment, answers.businessType)}
      answers={answers}
      disclosure="We may earn a commission."
      reduced={reduced}
    />,
  );
  const tag = /<a href="[^"]*" target="_blank"[^>]*>/.exec(html)?.[0] ?? '';
  const decode = (text: string) =>
    text.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&');
  return new Map(
    [...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decode(value)]),
  );
}

/** Where the redirect sends a visitor whose storage holds nothing. */
function follow(href: string): URL {
  const { pathname, search } = new URL(href, 'https://site.example');
  const target = matchGoPath(pathname, partners);
  if (!target) throw new Error(`${pathname} leads to no partner`);
  const link = parseGoLink(search.slice(1), false);
  const visit = { ...link.visit, page: '/assessment' };
  const pageKey = target.pageKey ?? link.pageKey;
  return new URL(
    buildOutboundUrl(target.partner, { ...link, pageKey, clickId: 'click-1', reduced: false }, visit),
  );
}

describe('the call to action of every result', () => {
  const all = [...listAllAnswers(assessment.questions)];

  it('sends every combination of answers to its partner, with their codes', () => {
    for (const answers of all) {
      const url = follow(readCall(answers).get('href') ?? '');
      const business = BUSINESS[answers.businessType] ?? '';
      expect(url.href.startsWith(TARGETS[business] ?? TARGET_OF_OTHERS)).toBe(true);
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        utm_content: `assessment_recommendation_${business}_${BUDGET[answers.budget]}_assessment`,
        assessment_type: business,
        revenue_range: REVENUE[answers.revenue],
        challenges: answers.challenges
          .slice(0, 3)
          .map((label) => CHALLENGES[label])
          .join(','),
      });
    }
  }, 120_000);

  it('records the conversion of the specification', () => {
    const [answers] = all;
    if (answers === undefined) throw new Error('no answers');
    expect(Object.fromEntries(readCall(answers))).toMatchObject({
      rel: 'sponsored noopener',
      'data-action': 'assessment_conversion',
      'data-label': 'Digital Marketing Agency_to_GoHighLevel',
      'data-value': '1',
      'data-business-type': 'Digital Marketing Agency',
      'data-budget': 'Under $100',
      'data-platform': 'GoHighLevel',
      'data-source': 'assessment_results',
    });
  });

  it('carries no answers of a visitor with Global Privacy Control', () => {
    const [answers] = all;
    expect(answers && readCall(answers, true).get('href')).toBe(
      '/go/highlevel?page=pricing&source=assessment_results&content=assessment_recommendation',
    );
  });

  it.each([
    ['Digital Marketing Agency', '/go/highlevel?page=pricing&'],
    ['E-commerce Store', '/activecampaign-trial?'],
    ['Course Creator/Coach', '/kit-trial?'],
    ['Local Service Business', '/hubspot-trial?'],
    ['Other', '/hubspot-trial?'],
  ])('%s is linked through %s', (businessType, path) => {
    const answers = all.find((one) => one.businessType === businessType);
    expect(answers && readCall(answers).get('href')).toContain(path);
  });
});
