import { expect, test } from '../support/browser-test.ts';

/** What the specification says of a page, in its own words. */
interface PageExpectation {
  readonly path: string;
  /** Ids that links on the page may jump to. */
  readonly anchors?: readonly string[];
  /** Texts, in the order in which they stand on the page where `inOrder`. */
  readonly texts: readonly string[];
  readonly inOrder?: readonly string[];
  /** Calls to action: addresses of the redirect page, each with the event that a press records. */
  readonly calls?: readonly { readonly address: string; readonly event: string }[];
}

const TRIAL_TERMS = ['14-day free trial', 'No credit card', 'Cancel anytime', 'No fees'];
const PLANS = ['Starter', '$97', '3 sub-accounts', 'Unlimited', '$297'];

/** The landing pages by section 2 of the specification, with the decisions on what it leaves open. */
const PAGE_EXPECTATIONS: readonly PageExpectation[] = [
  {
    path: '/hubspot-vs-gohighlevel-pricing-comparison',
    anchors: ['problem', 'solution', 'features', 'pricing'],
    texts: ['$297/month', 'about $1,300', 'Start Free Trial', ...PLANS, ...TRIAL_TERMS],
    calls: [{ address: '/go/highlevel?page=trial', event: 'free_trial_signup' }],
  },
  {
    path: '/gohighlevel-complete-tutorial',
    anchors: ['why-gohighlevel', 'what-you-get', 'success-stories', 'get-started'],
    texts: ['3,247+', '47', 'spots left', '10,000+'],
    calls: [{ address: '/go/highlevel?page=pricing&source=tutorial', event: 'tutorial_conversion' }],
  },
  {
    path: '/gohighlevel-free-trial',
    texts: [...PLANS, ...TRIAL_TERMS, '30-day money-back guarantee', '50,000+', '95%', '$400-800'],
    inOrder: [
      "See everything you'll access during your free trial",
      'No Payment Info',
      'Full 14 Days',
      'One-Click Cancel',
      'Zero Commitments',
      'What brings people here',
      'Contacts and pipelines',
      'Email and SMS campaigns',
      'Online booking',
      'Drag-and-drop websites and funnels',
      'Automation workflows',
      'Analytics',
      'What it costs',
      'Tools you pay for',
      'Days 1-2',
      'Setup and import',
      'Days 3-5',
      'First campaign',
      'Days 6-8',
      'Calendar integration',
      'Days 9-11',
      'Website or funnel',
      'Days 12-14',
      'Automation and analysis',
      'Realistic outcomes',
      'Individual results differ',
      'What the trial contains',
      'Where help comes from',
      'Enter your email',
      'Verify and set up',
      'Explore',
      'Do I need a credit card?',
    ],
    calls: [
      { address: '/go/highlevel?page=trial&source=free-trial', event: 'free_trial_signup' },
      { address: '/go/highlevel?page=features', event: 'call_to_action' },
      { address: '/go/highlevel?page=pricing', event: 'call_to_action' },
    ],
  },
  {
    path: '/roi-calculator',
    anchors: ['tutorial-insights', 'roi-calculator', 'success-stories', 'trial-offer', 'final-cta'],
    texts: ['$500+', 'over $6,000 a year', '15+ hours', '5 hours', '40,000+ business owners', ...TRIAL_TERMS],
    inOrder: [
      'Your bills',
      'Watch Complete Tutorial',
      'tool chaos',
      'Tutorial insights',
      'Before',
      'After',
      'Success stories',
      'Templates',
      'Support',
      'The trial offer',
      'Start Your 14-Day Free Trial Now',
    ],
    calls: ['cta', 'header', 'hero', 'success_stories', 'final_cta'].map((source) => ({
      address: `/go/highlevel?page=trial&source=${source}`,
      event: 'free_trial_signup',
    })),
  },
  {
    path: '/industry-report-2025',
    anchors: ['executive-summary', 'research-findings', 'methodology', 'conclusion'],
    texts: [
      'Q1 2025 Report',
      ...['73%', '27%', '$2,400', '$297', '23%', '$14,400', '40%', '12 tools'],
      ...['Over 500 agencies studied', '50 interviews', '100+ cost studies', '15 platforms tested'],
      ...['$450', '$299', '$96', '$150', '$200', '$1,492', '$1,195', '80%', '$14,340'],
      'Compensation disclosure',
    ],
    calls: [
      { address: '/go/highlevel?page=home&source=industry-report-2025', event: 'call_to_action' },
      { address: '/go/highlevel?page=pricing&source=header', event: 'call_to_action' },
      { address: '/go/highlevel?page=pricing&source=final', event: 'call_to_action' },
    ],
  },
  {
    path: '/expert-review-gohighlevel-business-systems-consultant',
    texts: [
      ...['12+', '25+', '$97', 'per month', '14 days', '2-5 days', '1-2 weeks', '5/5', '4/5'],
      ...['Strengths', 'Limitations', 'Recommendation', 'FAQ', 'Start Free Trial'],
    ],
    calls: [{ address: '/go/highlevel?page=pricing&source=expert-review', event: 'call_to_action' }],
  },
  {
    path: '/free-trial-demo',
    anchors: ['features', 'success-stories', 'support', 'faq'],
    texts: ['14-Day Risk-Free Trial', 'Stop Juggling 8+ Tools'],
    inOrder: [
      'No credit card required',
      'Complete platform access',
      'One-click cancellation',
      'Expert setup assistance',
    ],
    calls: [{ address: '/go/highlevel?page=pricing&source=trial-demo', event: 'call_to_action' }],
  },
  {
    path: '/business-tool-consolidation-guide',
    texts: ['$1,492', '$297', '$1,195'],
    calls: [{ address: 'source=consolidation-guide', event: 'call_to_action' }],
  },
  { path: '/template', texts: ['[', ']', 'commission'] },
];

/** Pages that the footer promises. */
const FOOTER_PAGES: readonly string[] = [
  '/tutorials',
  '/case-studies',
  '/roi-calculator',
  '/feature-comparison',
  '/contact',
  '/help',
  '/privacy',
  '/terms',
  '/affiliate-disclosure',
];

for (const { path, anchors = [], texts, inOrder = [], calls = [] } of PAGE_EXPECTATIONS) {
  test(`${path} says what the specification says, at its anchors, with its calls to action`, async ({
    page,
  }) => {
    await page.goto(path);
    // Folded sections are part of the page.
    await page.locator('details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '');
    });
    const main = page.locator('body');
    const text = (await main.innerText()).replace(/\s+/g, ' ');
    for (const wanted of [...texts, ...inOrder]) expect.soft(text, wanted).toContain(wanted);
    let at = 0;
    for (const wanted of inOrder) {
      const found = text.indexOf(wanted, at);
      expect.soft(found, `${wanted}, after what precedes it`).toBeGreaterThanOrEqual(0);
      if (found >= 0) at = found;
    }
    for (const id of anchors) {
      await expect.soft(page.locator(`main #${id}`), `#${id}`).toHaveCount(1);
    }
    for (const { address, event } of calls) {
      const link = page.locator(`a[href*="${address}"][data-action="${event}"]`).first();
      await expect.soft(link, `${address} with ${event}`).toHaveAttribute('target', '_blank');
      await expect.soft(link).toHaveAttribute('rel', /sponsored/);
    }
  });

  test(`${path} discloses before its first link to a partner`, async ({ page }) => {
    await page.goto(path);
    const order = await page
      .locator('[data-disclosure], a[href^="/go/"]')
      .evaluateAll((found) => found.map((one) => (one.matches('a') ? 'link' : 'disclosure')));
    expect(order[0]).toBe('disclosure');
  });
}

test('every page that the footer promises is there, and says more than its name', async ({ page }) => {
  for (const path of FOOTER_PAGES) {
    const response = await page.goto(path);
    expect.soft(response?.status(), path).toBe(200);
    const words = (await page.locator('main').innerText()).split(/\s+/).length;
    expect.soft(words, `${path}: words`).toBeGreaterThan(150);
  }
});

for (const [alias, target] of [
  ['/gohighlevel-tutorial', '/gohighlevel-complete-tutorial'],
  ['/expert-review', '/expert-review-gohighlevel-business-systems-consultant'],
  ['/roi-calculator/?crm=5', '/roi-calculator?crm=5'],
] as const) {
  test(`${alias} leads to ${target}`, async ({ site }) => {
    const response = await fetch(site.url + alias, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([301, target]);
  });
}
