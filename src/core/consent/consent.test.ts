import { describe, expect, it } from 'vitest';
import { buildPartner } from '../../../test/support/console-ledger.ts';
import { CAMPAIGN_PARAMETERS } from '../events/campaign.ts';
import { EVENT_NAMES, getEventDefinition } from '../events/event-definitions.ts';
import { parseAnalyticsVisit } from './analytics-visit.ts';
import { needsAsking } from './needs-asking.ts';
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
      '| `ref` | who is paid for the visit |',
      '| `sid` | a number for the click, so that a commission can be matched to a page |',
    ]);
    const table = buildOutboundTable([some, buildPartner('all'), buildPartner('beside', { redirect: 'no' })]);
    expect(table).toContain('| `session_time` | how many seconds the visit took (ALL only) |');
    expect(table).toContain('| `ref` | who is paid for the visit |');
    expect(table).not.toContain('BESIDE');
  });

  it('says of templates what their words say', () => {
    const utm = { source: 'us', content: '{page|x}', medium: '' };
    expect(buildOutboundTable([buildPartner('one', { forward: ['affiliate', 'utm'], utm })])).toContain(
      '\n| `utm_source`, `utm_content` | words of this site; the page you left |',
    );
  });
});

describe('needsAsking', () => {
  it.each([
    ['every visitor when no region is set', [], { region: 'US', timeZone: 'America/New_York' }, true],
    ['a country that is listed', ['DE'], { region: 'de', timeZone: '' }, true],
    ['another country', ['DE'], { region: 'FR', timeZone: 'Europe/Berlin' }, false],
    ['a member of the union', ['EU'], { region: 'IE', timeZone: '' }, true],
    ['Norway as part of the economic area', ['EU'], { region: 'NO', timeZone: '' }, true],
    ['not Switzerland for the union', ['EU'], { region: 'CH', timeZone: '' }, false],
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
