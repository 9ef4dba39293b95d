import { expect, it } from 'vitest';
import { parseAnalyticsVisit } from './analytics-visit.ts';

const NOW = 1_763_600_000_000;
const at = (minutes: number) => Math.floor(NOW / 1_000) + minutes * 60;
const parse = (cookies: string) => parseAnalyticsVisit(cookies, 'G-ABC123', NOW);
const CLIENT = '_ga=GA1.1.1234567890.1763000000';
const VISIT = { client: '1234567890.1763000000', session: String(at(-20)) };

it.each([
  `${CLIENT}; _ga_ABC123=GS1.1.${at(-20)}.3.1.${at(-2)}.0.0.0`,
  `theme=dark; _ga_ABC123=GS2.1.s${at(-20)}$o3$g1$t${at(-2)}$j60$l0$h0;${CLIENT}`,
])('reads client and session of %s', (cookies) => {
  expect(parse(cookies)).toEqual(VISIT);
});

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
])('takes nothing from %s', (_, cookies) => {
  expect(parse(cookies)).toBeNull();
});
