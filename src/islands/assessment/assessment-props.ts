import { formatLongDate } from '../../core/articles/article-copy.ts';
import type { Assessment } from '../../core/assessment/assessment.schema.ts';
import { buildCta, buildPartnerLink } from '../../core/outbound/cta.ts';
import type { Content } from '../../core/pages/content.ts';
import { SEE_PRICE } from '../../core/products/price.ts';

/** The content that the island needs: all but the intro, which is HTML of the page. */
export interface AssessmentContent extends Omit<Assessment, 'copy'> {
  readonly copy: Pick<Assessment['copy'], 'title' | 'form' | 'step' | 'results'>;
  /** The sentence before the first link to a partner. */
  readonly disclosure: string;
  /** Where *How we are paid* leads. */
  readonly paidHref: string;
  /** The plans that reasons and budgets name, by key. */
  readonly plans: Readonly<Record<string, { readonly plan: string; readonly price: string }>>;
  /** What sources say against claims about a platform, by key of the outcome. */
  readonly contradicted: Readonly<Record<string, readonly ContradictedClaim[]>>;
  /** Addresses of the redirect to the partners, by key of the outcome. */
  readonly hrefs: Readonly<Record<string, string>>;
}

interface ContradictedClaim {
  readonly heading: string;
  readonly text: string;
  readonly source: string;
  readonly date: string;
}

/** Where the link of a result is, for `utm_content` and events. */
export const RESULTS_SOURCE = 'assessment_results';

/** Picks the part of the content that goes to the browser. */
export function buildAssessmentContent(
  content: Pick<Content, 'assessment' | 'claims' | 'figures' | 'partners' | 'savings' | 'site'>,
): AssessmentContent {
  const { assessment, site } = content;
  const { title, form, step, results } = assessment.copy;
  const cta = buildCta({ source: RESULTS_SOURCE }, content);
  const hrefs = assessment.outcomes.map(({ key, partner, partnerLink }) => {
    const link = { page: partnerLink, partner, content: 'assessment_recommendation' };
    return [key, buildPartnerLink(cta, link).href];
  });
  const plans = listPlans(assessment).flatMap((key) => {
    const plan = describePlan(key, content);
    return plan === null ? [] : [[key, plan] as const];
  });
  const contradicted = assessment.outcomes.flatMap(({ key, claims }) => {
    const found = claims.flatMap((name) => {
      const { fact } = content.claims.get(name) ?? {};
      return fact === undefined ? [] : [{ ...fact, date: formatLongDate(fact.checked) }];
    });
    return found.length === 0 ? [] : [[key, found] as const];
  });
  return {
    ...assessment,
    // Without what only the server needs: codes, and the names of claims and partners.
    questions: assessment.questions.map(({ unknown: _, options, ...question }) => ({
      ...question,
      options: options.map(({ code: _, ...option }) => option),
      retired: [],
    })),
    outcomes: assessment.outcomes.map((outcome) => ({
      ...outcome,
      claims: [],
      partner: '',
      partnerLink: '',
    })),
    contradicted: Object.fromEntries(contradicted),
    plans: Object.fromEntries(plans),
    copy: { title, form, step, results },
    disclosure: site.disclosure.short,
    paidHref: site.disclosure.href,
    hrefs: Object.fromEntries(hrefs),
  };
}

/** The plans that reasons and budgets name, each once. */
function listPlans({ outcomes }: Assessment): readonly string[] {
  const texts = outcomes.flatMap(({ reasons, budgets }) => [...reasons, ...Object.values(budgets)]);
  return [...new Set(texts.flatMap(({ plan }) => plan ?? []))];
}

/** A plan by its key, `starter` or `kit.creator`; null when its price is too old to be shown. */
function describePlan(
  key: string,
  { figures, savings }: { readonly figures: Content['figures']; readonly savings: Content['savings'] },
) {
  const name = `product:${key.includes('.') ? key : `${savings.product?.key}.${key}`}`;
  const price = figures.get(name) ?? SEE_PRICE;
  if (price === SEE_PRICE) return null;
  const parts = [price, figures.get(`${name}.unit`)].filter(Boolean);
  return { plan: figures.get(`${name}.name`) ?? '', price: price === '$0' ? 'no charge' : parts.join(' ') };
}

/** Fills `{name}` places of a text. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.keys(values).includes(name) ? String(values[name]) : whole,
  );
}
