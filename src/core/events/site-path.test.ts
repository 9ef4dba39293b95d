import { describe, expect, it } from 'vitest';
import { buildPageName, parseSitePath } from './site-path.ts';

describe('parseSitePath', () => {
  it.each([
    ['/', '/'],
    ['/blog/crm-basics', '/blog/crm-basics'],
    ['/blog?utm_source=x#top', '/blog'],
    ['/go/highlevel?page=https://evil.example', '/go/highlevel'],
    ['/blog/日本', '/blog/日本'],
    [`/${'a'.repeat(600)}`, `/${'a'.repeat(511)}`],
  ])('keeps %s', (text, expected) => expect(parseSitePath(text)).toBe(expected));

  it.each([
    '',
    'blog',
    'javascript:alert(1)',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/a b',
    '/a\nb',
    '/a\0',
    '/a\u202Eb',
    '?x=1',
    ' /blog',
  ])('refuses %j', (text) => expect(parseSitePath(text)).toBeNull());
});

describe('a page name', () => {
  it.each([
    ['/', 'home'],
    ['', 'home'],
    ['/blog', 'blog'],
    ['/blog/', 'blog'],
    ['/blog/crm-basics', 'blog.crm_basics'],
    [
      '/expert-review-gohighlevel-business-systems-consultant',
      'expert_review_gohighlevel_business_systems_consultant',
    ],
    ['/blog?utm_source=x#top', 'blog'],
    ['/caf%C3%A9', 'caf%C3%A9'],
    ['/<script>&a=b', 'scriptab'],
    ['blog.crm_basics', 'blog.crm_basics'],
    ['//evil.test', 'evil.test'],
    ['/\ud800', 'home'],
  ])('of %j is %j', (path, name) => expect(buildPageName(path)).toBe(name));
});
