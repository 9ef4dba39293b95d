import { expect, it } from 'vitest';
import { buildLede } from './lede.ts';

const CONTENT =
  '<figure><img src="/images/a.png" alt=""></figure><p>A <b>CRM</b> keeps customers &amp; deals.</p>';

it.each([
  ['What it costs.', 'What it costs.'],
  ['A CRM keeps customers & deals.', ''],
  ['A CRM keeps…', ''],
  ['', ''],
])('shows of the excerpt %j below the title: %j', (excerpt, expected) => {
  expect(buildLede({ excerpt, content: CONTENT })).toBe(expected);
});
