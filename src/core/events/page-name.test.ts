import { describe, expect, it } from 'vitest';
import { buildPageName } from './page-name.ts';

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
  ])('of %j is %j', (path, name) => {
    expect(buildPageName(path)).toBe(name);
  });
});
