/** Codes of the assessment's answers by label, in option order. A code stands for itself. */
const BUSINESS = codes({
  agency: ['Digital Marketing Agency'],
  ecommerce: ['E-commerce Store'],
  creator: ['Course Creator/Coach'],
  local: ['Local Business', 'Local Service Business'],
  saas: ['SaaS Company', 'SaaS/Tech Company'],
});

const BUDGET = codes({
  budget_low: ['Under $100', '$100 - $300', '$300 - $500', 'Under $500/month'],
  budget_mid: ['$500 - $1,000', '$500-$1,000/month'],
  budget_high: ['$1,000+', '$1,000-$2,500/month'],
  budget_enterprise: ['$2,500+/month'],
});

const REVENUE = codes({
  'under-5k': ['Just starting (Under $5K)'],
  '5k-25k': ['Growing ($5K - $25K)'],
  '25k-100k': ['Scaling ($25K - $100K)'],
  '100k-plus': ['Established ($100K+)'],
});

const CHALLENGES = codes({
  leads: ['Lead generation and acquisition'],
  email: ['Email marketing and automation'],
  clients: ['Client/customer management'],
  funnels: ['Sales funnel optimization'],
  integration: ['Integration between tools'],
  costs: ['High costs of current tools'],
});

function codes(labels: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  const pairs = Object.entries(labels).flatMap(([code, names]) =>
    [code, ...names].map((name): [string, string] => [fold(name), code]),
  );
  return new Map(pairs);
}

/** Dashes, case and spaces differ between the places that name an option; the option does not. */
function fold(label: string): string {
  return label
    .toLowerCase()
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/\s+/g, '');
}

/** `agency`, `ecommerce`, `creator`, `local`, `saas`, or `business` for any other answer and for none. */
export function buildBusinessCode(businessType: string): string {
  return BUSINESS.get(fold(businessType)) ?? 'business';
}

/** `budget_low` to `budget_enterprise`, or `budget_unspecified`. */
export function buildBudgetCode(budget: string): string {
  return BUDGET.get(fold(budget)) ?? 'budget_unspecified';
}

/** `under-5k`, `5k-25k`, `25k-100k`, `100k-plus`; empty for any other answer and for none. */
export function buildRevenueCode(revenue: string): string {
  return REVENUE.get(fold(revenue)) ?? '';
}

/** Codes of the challenges answered, in option order, each once; unknown ones are left out. */
export function buildChallengeCodes(challenges: readonly string[]): string[] {
  const answered = new Set(challenges.map((label) => CHALLENGES.get(fold(label))));
  return [...new Set(CHALLENGES.values())].filter((code) => answered.has(code));
}
