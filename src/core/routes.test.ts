import { describe, expect, it } from 'vitest';
import { parsePath, pickQuery } from './routes.ts';

describe('parsePath', () => {
  it.each(['/', '/blog', '/blog/crm-basics', '/_astro/x.B4.js', '/a%20b', '/%E6%97%A5'])(
    'takes %s',
    (path) => {
      expect(parsePath(path)).toBe(path);
    },
  );

  it.each([
    'blog',
    '//evil.example',
    '/\\evil.example',
    '/a//b',
    '/a/../b',
    '/%2e%2e/b',
    '/a%2f%2fb',
    '/a%00',
    '/a%0d%0aSet-Cookie:x',
    '/%E0%A4%A',
    '/a%5cb',
    `/${'a'.repeat(1024)}`,
    'http://evil.example/',
  ])('refuses %s', (path) => {
    expect(parsePath(path)).toBeNull();
  });
});

describe('pickQuery', () => {
  const pick = (path: string, query: string) => pickQuery(path, new URLSearchParams(query)).toString();

  it('keeps what the page reads, in one order, the first value each', () => {
    expect(pick('/blog', 'page=2&utm_source=x&q=crm&q=other')).toBe('q=crm&page=2');
  });

  it('drops everything for a page that reads nothing', () => {
    expect(pick('/blog/crm-basics', 'q=crm&page=2&gclid=1')).toBe('');
  });

  it('keeps an emptied field of a calculator', () => {
    expect(pick('/roi-calculator', 'emailCost=&crmCost=5')).toBe('crmCost=5&emailCost=');
  });

  it('drops empty values and cuts long ones', () => {
    expect(pick('/blog', `q=&page=${'9'.repeat(500)}`)).toBe(`page=${'9'.repeat(200)}`);
  });
});
