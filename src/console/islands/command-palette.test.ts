import { expect, it } from 'vitest';
import { findNearCommands } from './command-palette.ts';

const COMMANDS = [
  { name: 'Lelit Anna', kind: 'Edit', href: '/lelit' },
  { name: 'Settings: mail, SMTP', kind: 'Setting', href: '/settings', words: 'password' },
];

it.each([
  ['lelt', '/lelit'],
  ['lelit ana', '/lelit'],
  ['pasword', '/settings'],
])('a near miss such as %s finds what was meant', (text, href) => {
  expect(findNearCommands(COMMANDS, text)).toMatchObject([
    { href, kind: expect.stringMatching(/^Did you mean\?/) },
  ]);
});

it('offers nothing for a word that is near no other one', () => {
  expect(findNearCommands(COMMANDS, 'espresso')).toEqual([]);
});
