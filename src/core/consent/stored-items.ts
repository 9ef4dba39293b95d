import { NO_ANSWER_CODES } from '../assessment/answers.ts';
import { CAMPAIGN_PARAMETERS, UTM_PARAMETERS } from '../events/campaign.ts';
import { EVENT_NAMES, getEventDefinition } from '../events/event-definitions.ts';
import type { SiteEvent } from '../events/site-event.ts';
import { buildOutboundUrl } from '../outbound/build-outbound-url.ts';
import { UNKNOWN_VISIT } from '../outbound/outbound-link.ts';
import type { Forwarded, Partner } from '../outbound/partner.ts';
import {
  ANSWERS_KEY,
  ATTRIBUTION_KEY,
  CHOICE_KEY,
  COPY_KEY,
  COPY_LIFETIME_MS,
  JOURNEY_KEY,
  OUTBOX_DROPPED_KEY,
  OUTBOX_PAUSE_KEY,
  OUTBOX_PREFIX,
  type StorageArea,
  type StorageKey,
} from './storage-keys.ts';

/** One entry of the browser's storage, as the privacy page describes it. */
interface StoredItem {
  /** The key, or its beginning when it ends in `:`. */
  readonly key: StorageKey;
  readonly area: StorageArea;
  readonly content: string;
  readonly lifetime: string;
}

const TAB = 'until the tab is closed';
const COPY = `expires ${COPY_LIFETIME_MS / 60_000} minutes after the last page or click, and is replaced by the next page you open`;

/** Everything that the site stores in a browser. A browser test compares it with what a visit really stores. */
export const STORED_ITEMS: readonly StoredItem[] = [
  {
    key: ATTRIBUTION_KEY,
    area: 'session',
    content:
      `the campaign parameters of the address you came by (${CAMPAIGN_PARAMETERS.map((name) => `\`${name}\``).join(', ')}), ` +
      'those of a later address if it has others (`last`), and a random number for the session (`session`)',
    lifetime: TAB,
  },
  {
    key: JOURNEY_KEY,
    area: 'session',
    content:
      'the first page and when you opened it, the pages since, the time spent, the page you came from, ' +
      'your browser’s name, the figures you typed into a savings calculator, ' +
      'and which assessment answers have been sent',
    lifetime: TAB,
  },
  {
    key: ANSWERS_KEY,
    area: 'session',
    content: 'your answers, if you take the assessment',
    lifetime: `${TAB}, or you retake the assessment`,
  },
  {
    key: COPY_KEY,
    area: 'local',
    content: `a copy of \`${ATTRIBUTION_KEY}\` and \`${JOURNEY_KEY}\`, so that a page you open in a new tab belongs to the same visit`,
    lifetime: COPY,
  },
  {
    key: OUTBOX_PREFIX,
    area: 'local',
    content:
      'an event that our server has not received yet, for example because you are offline; one entry each',
    lifetime: 'until our server has stored it',
  },
  {
    key: OUTBOX_PAUSE_KEY,
    area: 'local',
    content: 'the time before which nothing is sent again',
    lifetime: 'ten minutes at most; deleted when the network is back',
  },
  {
    key: OUTBOX_DROPPED_KEY,
    area: 'local',
    content: 'how many events could not be sent',
    lifetime: 'until the next page you open',
  },
  {
    key: CHOICE_KEY,
    area: 'local',
    content:
      'your answer, where this site asks whether it may keep a record of your visit or use Google Analytics, ' +
      'its day and the version of the question',
    lifetime: 'until you clear the site’s data; we ask again after a refusal once it is six months old',
  },
];

/** Builds the Markdown table of everything that the site stores in a browser. */
export function buildStorageTable(): string {
  const rows = STORED_ITEMS.map(({ key, area, content, lifetime }) => {
    const name = key === OUTBOX_PREFIX ? `${key}…` : key;
    return `| \`${name}\` | ${area} storage | ${content} | ${lifetime} |`;
  });
  return ['| Key | Where | What | How long |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** What stands in the custom data of events, in words; the other keys say it themselves. */
const DATA_WORDS: Readonly<Record<string, string>> = {
  '*': 'the name of the button or price list',
  click: 'the number of a click',
  dropped: 'how many events this browser could not send',
  entry: 'whether it is the first page of a visit',
  visit: 'whether you allowed a record of the visit',
  analytics: 'whether you allowed Google Analytics',
  place: 'where you were asked',
  version: 'the version of the question',
  visit_channel: 'what kind of site you came from',
  visit_source: 'its name',
  revenue: 'your revenue range',
  business_type: 'your type of business',
  budget: 'your budget',
  challenges: 'your challenges',
  assessment_type: 'your type of business',
  revenue_range: 'your revenue range',
};

/** What every event has, in words. */
const FIELD_WORDS: Readonly<Record<Exclude<keyof SiteEvent, 'data'>, string>> = {
  id: 'a random number of its own',
  name: 'what happened',
  session: 'the random number of the session, unless nothing is stored in your browser',
  page: 'the page',
  label: 'the text or name of what you used',
  value: 'its value',
  campaign: 'the campaign, without numbers of ads where nothing is stored in your browser',
  clientTime: 'the time by your clock',
  serverTime: 'the time by ours',
  flags:
    'whether the visitor is a program, sends the Global Privacy Control signal, or has nothing stored in the browser',
};

/** Builds the Markdown table of what the server stores about events, from their definitions. */
export function buildEventTable(): string {
  const rows = EVENT_NAMES.map((name) => {
    const { when, data } = getEventDefinition(name);
    const listed = data.map((key) => {
      const words = DATA_WORDS[key];
      if (key === '*') return words;
      return words === undefined ? `\`${key}\`` : `${words} (\`${key}\`)`;
    });
    return `| \`${name}\` | ${when} | ${listed.join(', ') || 'nothing more'} |`;
  });
  const fields = Object.entries(FIELD_WORDS).map(([key, words]) => `${words} (\`${key}\`)`);
  const every = `| every event | anything in this list happens | ${fields.join('; ')} |`;
  return ['| Event | When | What it has besides |', '| --- | --- | --- |', every, ...rows].join('\n');
}

/** What links pass on besides utm parameters and those of the partner's own file, by what its `forward` names. */
const FORWARDED_ITEMS: readonly (readonly [group: Forwarded, names: readonly string[], content: string])[] = [
  ['campaign', ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term'], 'the campaign you came from'],
  ['journey', ['journey_pages', 'entry_page'], 'the names of up to five pages you opened, and of the first'],
  ['journey', ['session_time'], 'how many seconds the visit took'],
  [
    'answers',
    ['assessment_type', 'revenue_range', 'challenges'],
    'your type of business, your revenue range, and up to three challenges, if you took the assessment',
  ],
  [
    'ads',
    ['gclid', 'fbclid', 'campaign_id', 'ad_group_id', 'ad_id'],
    'the ad that you came from, and the number of your click on it',
  ],
];

/** What the words of templates say of a visitor. */
const TEMPLATE_ITEMS: Readonly<Record<string, string>> = {
  content: 'the button you used',
  page: 'the page you left',
  businessType: 'a code of your type of business, or one that says you gave none',
  budget: 'a code of your budget, or one that says you gave none',
};

type OutboundItem = readonly [names: readonly string[], content: string];

/** Lists what links to a partner pass on. */
function listOutboundItems({
  affiliate,
  labels,
  subId,
  redirect,
  forward,
  ...partner
}: Partner): OutboundItem[] {
  const names = redirect === 'no' ? [] : forward;
  const templates = Object.entries({ ...partner.utm, campaign: partner.campaign }).flatMap(
    ([name, template]) => (names.includes('utm') && template ? { name: `utm_${name}`, template } : []),
  );
  const words = new Set(templates.flatMap(({ template }) => template.match(/(?<=\{)\w+/g) ?? []));
  const said = Object.entries(TEMPLATE_ITEMS).flatMap(([word, content]) => (words.has(word) ? content : []));
  return [
    [templates.map(({ name }) => name), ['words of this site', ...said].join('; ')],
    ...FORWARDED_ITEMS.flatMap(([group, ...item]) => (names.includes(group) ? [item] : [])),
    [affiliate === null ? [] : [affiliate.parameter], 'who is paid for the visit'],
    [
      labels?.parameter === undefined ? [] : [labels.parameter],
      'a number that we gave to some pages, also the one you left',
    ],
    [
      subId === null ? [] : [subId.parameter],
      'a number for the click, so that a commission can be matched to a page',
    ],
  ];
}

const NO_CLICK = { id: '00000000-0000-4000-8000-000000000000', gpc: false, answers: NO_ANSWER_CODES };

/** How a visit is known: by a record in the browser, without one, or with Global Privacy Control. */
export type VisitMode = 'full' | 'free' | 'gpc';

/**
 * The parameters of a link to a partner when everything is known that a mode allows, as the redirect builds them: words stand
 * for values.
 */
function readOutboundParameters(partner: Partner, mode: VisitMode): URLSearchParams {
  const names = mode === 'full' ? CAMPAIGN_PARAMETERS : UTM_PARAMETERS;
  const firstTouch = Object.fromEntries(names.map((name) => [name, name]));
  const known = {
    ...UNKNOWN_VISIT,
    firstTouch,
    lastTouch: firstTouch,
    page: '/page',
    isFree: mode !== 'full',
  };
  const entered = mode === 'gpc' ? known : { ...known, entryPage: '/first' };
  const whole = { ...entered, journeyPages: ['/first', '/page'], sessionTime: 1 };
  const answers = { businessType: 'type', budget: 'budget', revenue: 'revenue', challenges: ['challenges'] };
  const link = { pageKey: '', source: 'cta', position: '', content: '', clickToken: '', isRepeated: false };
  const click = { ...NO_CLICK, gpc: mode === 'gpc' };
  const answered = { ...click, answers: { ...NO_ANSWER_CODES, ...answers } };
  const visit = mode === 'full' ? whole : entered;
  return new URL(buildOutboundUrl(partner, { ...link, visit }, mode === 'full' ? answered : click))
    .searchParams;
}

/** What becomes of parameters before consent, where nothing may be stored: by the addresses that the redirect builds. */
function describeBeforeConsent(partner: Partner, names: readonly string[]): string {
  const [whole, free] = (['full', 'free'] as const).map((mode) => readOutboundParameters(partner, mode));
  const kept = names.filter((name) => free?.has(name) || !whole?.has(name));
  if (kept.length === 0) return 'not sent';
  if (kept.length < names.length) return `only ${kept.map((name) => `\`${name}\``).join(', ')}`;
  return names.every((name) => free?.get(name) === whole?.get(name)) ? 'the same' : 'without your answers';
}

/**
 * Builds the Markdown table of what links to partners pass on, to whom when it is not all of them, and what of it before
 * consent where nothing may be stored.
 */
export function buildOutboundTable(partners: readonly Partner[]): string {
  const contents = new Map<
    string,
    { readonly names: Set<string>; readonly receivers: Set<string>; readonly before: string }
  >();
  for (const partner of partners)
    for (const [names, content] of listOutboundItems(partner)) {
      const row = contents.get(content) ?? {
        names: new Set(),
        receivers: new Set(),
        before: describeBeforeConsent(partner, names),
      };
      for (const name of names) row.names.add(name);
      if (names.length > 0) row.receivers.add(partner.name);
      contents.set(content, row);
    }
  const rows = [...contents].flatMap(([content, { names, receivers, before }]) => {
    const only = receivers.size < partners.length ? ` (${[...receivers].join(', ')} only)` : '';
    return names.size === 0
      ? []
      : `| ${[...names].map((name) => `\`${name}\``).join(', ')} | ${content}${only} | ${before} |`;
  });
  return ['| Parameter | What it says | Before you agree |', '| --- | --- | --- |', ...rows].join('\n');
}
