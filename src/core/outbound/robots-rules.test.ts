import { expect, it } from 'vitest';
import { isAllowedByRobots } from './robots-rules.ts';

it.each([
  ['', '/pricing', true],
  ['User-agent: *\nDisallow: /', '/pricing', false],
  ['User-agent: *\nDisallow:', '/pricing', true],
  ['User-agent: other\nDisallow: /', '/pricing', true],
  ['User-agent: *\nDisallow: /\n\nUser-agent: Watch\nAllow: /', '/pricing', true],
  ['user-agent: WATCH # this one\r\ndisallow: /pricing # not this', '/pricing', false],
  ['User-agent: one\nUser-agent: watch\nDisallow: /', '/pricing', false],
  ['User-agent: *\nAllow: /\nUser-agent: watch\nDisallow: /', '/pricing', false],
  ['User-agent: *\nDisallow: /products/\nAllow: /products/desks', '/products/desks/oak', true],
  ['User-agent: *\nAllow: /products/\nDisallow: /products/desks', '/products/desks/oak', false],
  ['User-agent: *\nDisallow: /pricing\nAllow: /pricing', '/pricing', true],
  ['User-agent: *\nDisallow: /*/oak', '/desks/oak/one', false],
  ['User-agent: *\nDisallow: /*.pdf$', '/terms.pdf', false],
  ['User-agent: *\nDisallow: /*.pdf$', '/terms.pdf?page=2', true],
  ['User-agent: *\nDisallow: /pricing$', '/pricing/pro', true],
])('by %j, whether /pricing and the like may be read: %s is %s', (robots, path, expected) => {
  expect(isAllowedByRobots(robots, 'watch', path)).toBe(expected);
});
