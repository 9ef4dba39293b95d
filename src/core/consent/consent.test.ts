import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPartner } from '../../../test/support/console-ledger.ts';
import { forAll } from '../../../test/support/for-all.ts';
import { CAMPAIGN_PARAMETERS } from '../events/campaign.ts';
import { EVENT_NAMES, getEventDefinition } from '../events/event-definitions.ts';
import { parseAnalyticsVisit } from './analytics-visit.ts';
import { dropFields } from './gpc.ts';
import { buildStorageRule, isStorageFreeRegion, needsAsking, parseRegion } from './needs-asking.ts';
import { decideStorageMode } from './storage-mode.ts';
import { buildEventTable, buildOutboundTable, buildStorageTable } from './stored-items.ts';

const NOW = 1_763_600_000_000;
const at = (minutes: number) => Math.floor(NOW / 1_000) + minutes * 60;
const parse = (cookies: string) => parseAnalyticsVisit(cookies, 'G-ABC123', NOW);
const CLIENT = '_ga=GA1.1.1234567890.1763000000';
const VISIT = { client: '1234567890.1763000000', session: String(at(-20)) };

it.each([
  `${CLIENT}; _ga_ABC123=GS1.1.${at(-20)}.3.1.${at(-2)}.0.0.0`,
  `theme=dark; _ga_ABC123=GS2.1.s${at(-20)}$o3$g1$t${at(-2)}$j60$l0$h0;${CLIENT}`,
])('reads client and session of %s', (cookies) => expect(parse(cookies)).toEqual(VISIT));

it.each([
  ['no cookies', ''],
  ['a client without a session', CLIENT],
  ['a session without a client', `_ga_ABC123=GS1.1.${at(-20)}.3.1.${at(-2)}.0`],
  ['the session of another property', `${CLIENT}; _ga_OTHER=GS1.1.${at(-20)}.3.1.${at(-2)}.0`],
  [
    'a session that has ended, as of a visitor who does not allow it now',
    `${CLIENT}; _ga_ABC123=GS1.1.${at(-90)}.3.1.${at(-31)}.0`,
  ],
  ['a last hit in the future', `${CLIENT}; _ga_ABC123=GS2.1.s${at(-20)}$o3$g1$t${at(31)}$j60`],
  ['text that is no client id', `_ga=<b>; _ga_ABC123=GS1.1.${at(-20)}.3.1.${at(-2)}.0`],
  ['a very long cookie', `_ga=${'1'.repeat(5_000)}; _ga_ABC123=GS2.1.s${'$'.repeat(5_000)}`],
])('takes nothing from %s', (_, cookies) => expect(parse(cookies)).toBeNull());

it.each(
  [
    'journey_pages page_visits pages entry_page entry_time current_page session_time time_spent referrer user_agent',
    'assessment_type business_type businessTypeCode budget budget_code revenue revenueRange challenges answers',
    'analytics_client analytics_session gclid gbraid wbraid fbclid msclkid ttclid li_fat_id campaign_id ad_group_id ad_id',
    'twclid rdt_cid ScCid yclid dclid gad_source epik',
  ].flatMap((names) => names.split(' ')),
)('%s is withheld under Global Privacy Control', (name) =>
  expect(dropFields({ [name]: 'x', utm_source: 'y' })).toEqual({ utm_source: 'y' }),
);

it('the table of what the browser stores names every campaign parameter', () => {
  const table = buildStorageTable();
  expect(CAMPAIGN_PARAMETERS.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});

it('the table of events names every event, and every key of its data', () => {
  const table = buildEventTable();
  const keys = EVENT_NAMES.flatMap((name) => [
    name,
    ...getEventDefinition(name).data.filter((key) => key !== '*'),
  ]);
  expect(keys.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});

describe('the table of links', () => {
  it('names what is forwarded, and to whom when it is not everyone', () => {
    const some = buildPartner('some', { forward: ['affiliate', 'subId'] });
    expect(buildOutboundTable([some]).split('\n').slice(2)).toEqual([
      '| `ref` | who is paid for the visit | the same |',
      '| `sid` | a number for the click, so that a commission can be matched to a page | the same |',
    ]);
    const table = buildOutboundTable([some, buildPartner('all'), buildPartner('beside', { redirect: 'no' })]);
    expect(table).toContain('| `session_time` | how many seconds the visit took (ALL only) | not sent |');
    expect(table).toContain('| `ref` | who is paid for the visit | the same |');
    expect(table).toMatch(/`journey_pages`, `entry_page` .* only `entry_page` \|/);
    expect(table).toMatch(/`gclid`.* not sent \|/);
    expect(table).toMatch(/`challenges`.* not sent \|/);
    expect(table).not.toContain('BESIDE');
  });

  it('says of templates what their words say', () => {
    const utm = { source: 'us', content: '{page|x}', medium: '' };
    expect(buildOutboundTable([buildPartner('one', { forward: ['affiliate', 'utm'], utm })])).toContain(
      '\n| `utm_source`, `utm_content` | words of this site; the page you left | the same |',
    );
  });
});

describe('needsAsking', () => {
  it.each([
    ['every visitor when no region is set', [], { region: 'US', timeZone: 'America/New_York' }, true],
    ['a country that is listed', ['DE'], { region: 'de', timeZone: '' }, true],
    [
      'another country in whose time zone it may be',
      ['DE'],
      { region: 'FR', timeZone: 'Europe/Berlin' },
      true,
    ],
    ['not in another country', ['DE'], { region: 'US', timeZone: 'America/New_York' }, false],
    ['a member of the union', ['EU'], { region: 'IE', timeZone: '' }, true],
    ['Norway as part of the economic area', ['EU'], { region: 'NO', timeZone: '' }, true],
    ['not Switzerland for the union', ['EU'], { region: 'CH', timeZone: 'America/New_York' }, false],
    ['the United Kingdom by either name', ['uk'], { region: 'GB', timeZone: '' }, true],
    ['a state that is listed', ['US-CA'], { region: 'US-CA', timeZone: '' }, true],
    ['another state', ['US-CA'], { region: 'US-NY', timeZone: '' }, false],
    ['every state of a listed country', ['US'], { region: 'US-NY', timeZone: '' }, true],
    ['by time zone in Europe', ['EU', 'GB'], { region: '', timeZone: 'Europe/Madrid' }, true],
    ['by time zone far from it', ['EU'], { region: '', timeZone: 'Indian/Reunion' }, true],
    ['not by time zone elsewhere', ['EU', 'GB', 'CH'], { region: '', timeZone: 'America/Chicago' }, false],
    ['when the time zone says nothing', ['EU'], { region: '', timeZone: 'UTC' }, true],
    ['when it is unknown', ['EU'], { region: '', timeZone: '' }, true],
    ['when time zones cannot tell', ['BR'], { region: '', timeZone: 'America/Chicago' }, true],
    [
      'by time zone when the proxy does not know the country',
      ['EU'],
      { region: 'XX', timeZone: 'Europe/Rome' },
      true,
    ],
    ['by time zone for an unknown region', ['EU'], { region: 'ZZ', timeZone: 'America/Chicago' }, false],
    ['when the header holds nonsense', ['EU'], { region: 'XX<b>', timeZone: 'UTC' }, true],
  ])('asks %s', (_, regions, visitor, isAsked) => expect(needsAsking(regions, visitor)).toBe(isAsked));
});

describe('storage-free mode', () => {
  it.each([
    ['no list', [], false, ''],
    ['none', ['none'], true, ''],
    ['all', ['all'], false, 'all'],
    ['Europe', ['EU', 'gb', 'CH'], false, 'europe'],
    ['Europe and others, by their region', ['EU', 'BR'], true, 'europe'],
    ['Europe and others that no time zone tells', ['EU', 'BR'], false, 'all'],
    ['others, by their region', ['BR', 'US-CA'], true, 'region'],
    ['others that no time zone tells', ['BR'], false, 'all'],
  ])('has a rule for %s', (_, regions, hasHeader, rule) =>
    expect(buildStorageRule(regions, hasHeader)).toBe(rule),
  );

  it.each([
    [['EU'], 'IE', true],
    [['EU'], 'CH', false],
    [['EU'], '', true],
    [['EU'], 'XX', true],
    [['all'], 'US', true],
    [['none'], 'DE', false],
    [[], 'DE', false],
    [['US-CA'], 'US-NY', false],
  ])('%j: %s is strict: %s', (regions, region, isStrict) =>
    expect(isStorageFreeRegion(regions, region)).toBe(isStrict),
  );

  const EUROPEAN = ['Europe/Berlin', 'Europe/London', 'Europe/Zurich', 'Atlantic/Canary', 'Indian/Reunion'];
  const SILENT = ['UTC', 'Etc/GMT+5', undefined, ''];
  const OTHERS = [
    'America/New_York',
    'Asia/Tokyo',
    'Atlantic/Bermuda',
    'Pacific/Guadalcanal',
    'America/Cayman',
  ];
  const zones = [...EUROPEAN, ...SILENT, ...OTHERS];
  // With and without a header; no choice, yes, no, an old version of the text; with the signal.
  const data = (header: boolean, choice = false) => ({
    storage: 'europe',
    ...(header && { hasRegionHeader: '' }),
    ...(choice && { choice: '2' }),
  });

  it('is never full where the time zone is European or unknown, unless the visitor agreed', () => {
    for (const zone of zones) {
      const isOther = OTHERS.includes(`${zone}`);
      const decide = (given: Parameters<typeof decideStorageMode>[0], gpc: boolean, choice = '') =>
        decideStorageMode(given, gpc, zone, choice);
      expect.soft(decide(data(false), false), `${zone}`).toBe(!isOther);
      // The proxy's region is asked for where the time zone leaves it open.
      expect.soft(decide(data(true), false), `${zone} with a header`).toBe(isOther ? undefined : true);
      expect.soft(decide(data(false, true), false, 'yes - 2026-11-01 2'), `${zone} yes`).toBe(false);
      expect.soft(decide(data(false, true), false, 'no - 2026-11-01 2'), `${zone} no`).toBe(true);
      expect.soft(decide(data(false, true), false, 'yes - 2026-11-01 1'), `${zone} old`).toBe(!isOther);
      expect.soft(decide(data(false, true), false, '- yes 2026-11-01 2'), `${zone} tag`).toBe(!isOther);
      // Without the question no entry is read, and the signal is stronger than any.
      expect.soft(decide(data(false), false, 'yes - 2026-11-01 2'), `${zone} unread`).toBe(!isOther);
      expect.soft(decide(data(true, true), true, 'yes - 2026-11-01 2'), `${zone} signal`).toBe(true);
      expect.soft(decide({}, false), `${zone} without a rule`).toBe(false);
      expect.soft(decide({ storage: 'all' }, false), `${zone} all`).toBe(true);
    }
  });

  it('takes any text as region, time zone and choice, and is strict by all that say nothing', () => {
    const near = fc
      .tuple(
        fc.constantFrom('', 'XX', 'De', 'US-ca', 'Asia/', 'yes', 'n'),
        fc.string({ unit: 'binary', maxLength: 3 }),
        fc.constantFrom('', ' 2', '\n'),
      )
      .map((parts) => parts.join(''));
    return forAll(1, [near, near, near], (region, zone, choice) => {
      expect(parseRegion(region)).toMatch(/^([A-Z]{2}(-[A-Z0-9]{1,3})?)?$/);
      expect(isStorageFreeRegion(['EU'], region)).toBe(/^(|DE(-.*)?)$/.test(parseRegion(region)));
      const mode = decideStorageMode(data(true, true), false, zone, choice);
      const chosen = choice.endsWith(' 2') ? { y: false, n: true }[choice.charAt(0)] : undefined;
      expect(mode).toBe(chosen ?? (/^\w+\//.test(zone) ? undefined : true));
    });
  });

  it('has no choice where storage is denied', () => {
    expect(decideStorageMode({ storage: 'europe', choice: '1' }, false, 'Europe/Rome', null)).toBe(true);
    expect(decideStorageMode({ storage: 'europe', choice: '1' }, false, 'Europe/Rome', undefined)).toBe(true);
  });

  it('knows the time zones of Europe that lie elsewhere', () => {
    const isEuropean = (zone: string) => decideStorageMode({ storage: 'europe' }, false, zone, '') === true;
    const far = Intl.supportedValuesOf('timeZone').filter(
      (zone) => isEuropean(zone) && !/^(Europe|Etc)\//.test(zone),
    );
    expect(far.map((zone) => zone.replace('Faeroe', 'Faroe')).filter((zone) => zone.includes('/'))).toEqual([
      'Africa/Ceuta',
      ...['Cayenne', 'Guadeloupe', 'Marigot', 'Martinique'].map((name) => `America/${name}`),
      'Arctic/Longyearbyen',
      ...['Famagusta', 'Nicosia'].map((name) => `Asia/${name}`),
      ...['Azores', 'Canary', 'Faroe', 'Madeira', 'Reykjavik'].map((name) => `Atlantic/${name}`),
      ...['Mayotte', 'Reunion'].map((name) => `Indian/${name}`),
    ]);
  });
});

it.each(
  (
    'journey_pages page_visits pages entry_page entry_time current_page session_time time_spent referrer user_agent ' +
    'assessment_type business_type business_type_code budget budget_code revenue revenue_range challenges answers ' +
    'analytics_client analytics_session gclid'
  ).split(' '),
)('stores no %s of a visitor who asks for privacy', (name) =>
  expect(dropFields({ [name]: 'x', source: 'hero' })).toEqual({ source: 'hero' }),
);
