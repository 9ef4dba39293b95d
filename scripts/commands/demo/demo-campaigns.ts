import type { Campaign } from '../../../src/core/events/campaign.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Where generated sessions come from. */
export interface DemoChannel {
  /** Share of the sessions; the shares need no particular sum. */
  readonly weight: number;
  /** Address of the page before the entry, or `direct`. */
  readonly referrer: string;
  /** Campaign of one arrival; ids of ad clicks are new for each. */
  build(random: SeededRandom): Campaign;
  /** Beginning of the path of its landing page; any page when left out. */
  readonly landing?: string;
  /** How much more often its visitors click and buy than average ones. */
  readonly quality: number;
  /** Days before the end of the data on which the campaign began and ended. */
  readonly days?: readonly [from: number, to: number];
}

const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';

function buildAdId(random: SeededRandom, beginning: string): string {
  return beginning + Array.from({ length: 28 }, () => ID_CHARACTERS[random.integer(0, 63)]).join('');
}

const none = (): Campaign => ({});

/** The channels of the demo: search, ads with and without utm parameters, mail, social networks, direct visits. */
export const DEMO_CHANNELS: readonly DemoChannel[] = [
  { weight: 38, referrer: 'https://www.google.com/', build: none, quality: 1 },
  { weight: 5, referrer: 'https://www.bing.com/', build: none, quality: 1 },
  { weight: 3, referrer: 'https://duckduckgo.com/', build: none, quality: 0.9 },
  { weight: 19, referrer: 'direct', build: none, quality: 1.05 },
  { weight: 3, referrer: 'https://news.ycombinator.com/', build: none, quality: 0.2, days: [203, 199] },
  {
    weight: 7,
    referrer: 'https://www.google.com/',
    landing: '/hubspot-vs-gohighlevel',
    quality: 1.5,
    build: (random) => ({
      utm_source: 'google',
      utm_medium: 'cpc',
      utm_campaign: 'comparison-search',
      utm_content: random.chance(0.6) ? 'pricing-headline' : 'seats-headline',
      utm_term: random.pick(['hubspot alternative', 'gohighlevel vs hubspot', 'crm without seats']),
      gclid: buildAdId(random, 'Cj0KCQ'),
    }),
  },
  {
    // Auto-tagging without utm parameters.
    weight: 4,
    referrer: 'https://www.google.com/',
    landing: '/gohighlevel-free-trial',
    quality: 1.3,
    build: (random) => ({ gclid: buildAdId(random, 'EAIaIQ') }),
  },
  {
    weight: 4,
    referrer: 'https://www.google.com/',
    landing: '/gohighlevel-free-trial',
    quality: 1.7,
    days: [180, 0],
    build: (random) => ({
      utm_source: 'google',
      utm_medium: 'cpc',
      utm_campaign: 'brand',
      gclid: buildAdId(random, 'Cj0KCQ'),
    }),
  },
  {
    weight: 4,
    referrer: 'https://www.bing.com/',
    landing: '/hubspot-vs-gohighlevel',
    quality: 1.2,
    days: [260, 40],
    build: (random) => ({
      utm_source: 'bing',
      utm_medium: 'cpc',
      utm_campaign: 'comparison-search',
      msclkid: buildAdId(random, ''),
    }),
  },
  {
    weight: 5,
    referrer: 'https://www.facebook.com/',
    landing: '/industry-report',
    quality: 0.35,
    days: [330, 150],
    build: (random) => ({
      utm_source: 'facebook',
      utm_medium: 'paid-social',
      utm_campaign: 'report-download',
      utm_content: random.pick(['video-a', 'video-b', 'carousel']),
      fbclid: buildAdId(random, 'IwAR'),
    }),
  },
  {
    weight: 6,
    referrer: 'direct',
    quality: 1.6,
    build: (random) => ({
      utm_source: 'newsletter',
      utm_medium: 'email',
      utm_campaign: random.pick(['weekly', 'weekly', 'weekly', 'pricing-change']),
      utm_content: random.pick(['lead-story', 'button', 'footer']),
    }),
  },
  {
    weight: 3,
    referrer: 'https://www.youtube.com/',
    landing: '/gohighlevel-complete-tutorial',
    quality: 0.9,
    build: () => ({ utm_source: 'youtube', utm_medium: 'video', utm_campaign: 'setup-series' }),
  },
  {
    weight: 2.5,
    referrer: 'https://www.linkedin.com/',
    quality: 0.8,
    build: () => ({ utm_source: 'linkedin', utm_medium: 'social', utm_campaign: 'founder-posts' }),
  },
  {
    weight: 2,
    referrer: 'https://partner-blog.example/',
    landing: '/roi-calculator',
    quality: 1.4,
    days: [140, 0],
    build: () => ({ utm_source: 'partner-blog', utm_medium: 'referral', utm_campaign: 'calculator' }),
  },
];
