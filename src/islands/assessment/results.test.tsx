import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { listAllAnswers } from '../../../test/support/all-answers.ts';
import {
  readSampleAssessment,
  readSampleClaims,
  readSamplePartners,
  readSampleProducts,
  readSampleSavings,
  readSampleSite,
} from '../../../test/support/sample-content.ts';
import { type Answers, createAnswerCodeParser } from '../../core/assessment/answers.ts';
import { recommendPlatform } from '../../core/assessment/recommend-platform.ts';
import { buildOutboundUrl } from '../../core/outbound/build-outbound-url.ts';
import { parseLinkQuery } from '../../core/outbound/outbound-link.ts';
import { matchPartnerPath } from '../../core/outbound/partner.ts';
import { buildFigures } from '../../core/pages/claims/placeholders.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { buildAssessmentContent } from './assessment-props.ts';
import { ResultHead, Results } from './results.tsx';

const assessment = readSampleAssessment();
const partners = readSamplePartners();
const savings = readSampleSavings();
const site = readSampleSite();
const claims = readSampleClaims();
const figures = buildFigures({ savings, products: readSampleProducts(), claims });
const content = buildAssessmentContent({ assessment, claims, figures, partners, savings, site });
const { hrefs } = content;
const parseAnswerCodes = createAnswerCodeParser(assessment.questions);

/** Codes as the decisions state them, by option key; those of the challenges are their keys. */
const BUSINESS: Readonly<Record<string, string>> = {
  agency: 'agency',
  ecommerce: 'ecommerce',
  creator: 'creator',
  local: 'local',
  saas: 'saas',
  consultant: 'business',
  other: 'business',
};
const BUDGET: Readonly<Record<string, string>> = {
  'under-100': 'budget_low',
  '100-300': 'budget_low',
  '300-500': 'budget_low',
  '500-1000': 'budget_mid',
  '1000-plus': 'budget_high',
};
const REVENUE: Readonly<Record<string, string>> = {
  starting: 'under-5k',
  growing: '5k-25k',
  scaling: '25k-100k',
  established: '100k-plus',
};
const TARGETS: Readonly<Record<string, string>> = {
  agency: 'https://www.gohighlevel.com/pricing?fp_ref=hlmax',
  ecommerce: 'https://www.activecampaign.com/free?_r=',
  creator: 'https://kit.com/pricing?lmref=',
};
const TARGET_OF_OTHERS = 'https://www.hubspot.com/products/get-started?irpid=';

/** Attributes of the call to action of a result, decoded. */
function readCall(answers: Answers, gpc = false): Map<string, string> {
  const outcome = recommendPlatform(assessment, answers.businessType);
  const html = renderToStaticMarkup(
    <ResultHead
      copy={assessment.copy.results}
      outcome={outcome}
      href={hrefs[outcome.key] ?? ''}
      answers={answers}
      disclosure="We may earn a commission."
      paidHref="/affiliate-disclosure"
      gpc={gpc}
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
  const target = matchPartnerPath(pathname, partners);
  if (!target) throw new Error(`${pathname} leads to no partner`);
  const link = parseLinkQuery(new URLSearchParams(search), false);
  const visit = { ...link.visit, page: '/assessment' };
  const answers = parseAnswerCodes(parseJson(visit.answers));
  const sent = { ...link, visit, pageKey: target.pageKey ?? link.pageKey };
  return new URL(buildOutboundUrl(target.partner, sent, { id: 'click-1', gpc: false, answers }));
}

describe('the call to action of every result', () => {
  const all = [...listAllAnswers(assessment.questions)];

  it('sends every combination of answers to its partner, with their codes', { tags: ['rest'] }, () => {
    for (const answers of all) {
      const url = follow(readCall(answers).get('href') ?? '');
      const business = BUSINESS[answers.businessType] ?? '';
      expect(url.href.startsWith(TARGETS[business] ?? TARGET_OF_OTHERS)).toBe(true);
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        utm_content: `assessment_recommendation_${business}_${BUDGET[answers.budget]}_assessment`,
        assessment_type: business,
        revenue_range: REVENUE[answers.revenue],
        challenges: answers.challenges.slice(0, 3).join(','),
      });
    }
  });

  it('records the conversion of the specification', () => {
    const [answers] = all;
    if (answers === undefined) throw new Error('no answers');
    expect(Object.fromEntries(readCall(answers))).toMatchObject({
      rel: 'sponsored noopener',
      'data-action': 'assessment_conversion',
      'data-label': 'agency_to_GoHighLevel',
      'data-value': '1',
      'data-business-type': 'agency',
      'data-budget': 'under-100',
      'data-platform': 'GoHighLevel',
      'data-source': 'assessment_results',
    });
  });

  it('carries no answers of a visitor with Global Privacy Control', () => {
    const [answers] = all;
    expect(answers && readCall(answers, true).get('href')).toBe(
      '/go/highlevel?page=pricing&source=assessment_results&content=assessment_recommendation&position=result',
    );
  });

  it.each([
    ['agency', '/go/highlevel?page=pricing&'],
    ['ecommerce', '/activecampaign-trial?'],
    ['creator', '/kit-trial?'],
    ['local', '/hubspot-trial?'],
    ['other', '/hubspot-trial?'],
  ])('%s is linked through %s', (businessType, path) => {
    const answers = all.find((one) => one.businessType === businessType);
    expect(answers && readCall(answers).get('href')).toContain(path);
  });
});

it.each([
  ['under-100', 'Starter', '$97', 1],
  ['300-500', 'Unlimited', '$297', 0],
])('every button of the budget %s names the %s plan at %s', (budget, plan, price, dearer) => {
  const html = renderToStaticMarkup(
    <Results
      content={content}
      answers={{ businessType: 'agency', revenue: 'growing', challenges: ['costs'], budget }}
      linked={false}
      gpc={false}
      onGo={() => undefined}
      onRetake={() => undefined}
    />,
  );
  const fits = html.indexOf(`Your budget fits the ${plan} plan at ${price} per month.`);
  expect(fits).toBeGreaterThan(0);
  expect(fits).toBeLessThan(html.indexOf('Start Your 14-Day Free Trial'));
  expect(html.split(`${plan} plan, ${price} per month after the trial`)).toHaveLength(4);
  expect(html.split('On the Unlimited plan, $297 per month')).toHaveLength(dearer + 1);
  expect(html).toContain(
    'Have a card ready</strong>: The form of the provider asks for a card. ' +
      '<a href="https://www.provider.example/sign-up" rel="noopener">provider.example</a>, ' +
      'November 21, 2026',
  );
});
