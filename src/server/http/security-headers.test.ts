import { describe, expect, it } from 'vitest';
import { createSecurityHeaders, hashInline, secureResponse } from './security-headers.ts';

const SCRIPT = 'console.log(1)';
const STYLE = 'a{color:red}';
const HASHES = {
  scripts: new Set([hashInline(SCRIPT), hashInline('other()')]),
  styles: new Set([hashInline(STYLE), hashInline('b{color:red}')]),
};
const HTML = `<style>${STYLE}</style><script type="module" src="/a.js"></script><script type="module">${SCRIPT}</script>`;
const PAGE = Buffer.from(HTML);

describe('createSecurityHeaders', () => {
  it('allows a page its own inline scripts and styles that the build has hashed, and nothing else', () => {
    const { page } = createSecurityHeaders({ hsts: null, imageHosts: [], analytics: null }, HASHES);
    const policy = page(PAGE)['content-security-policy'];
    expect(policy).toContain(`script-src 'self' '${hashInline(SCRIPT)}';`);
    expect(policy).toContain(`style-src 'self' '${hashInline(STYLE)}';`);
    expect(policy).not.toMatch(/unsafe-/);
    expect(policy).toContain("require-trusted-types-for 'script'");
  });

  it('allows no inline script or style that the build has not hashed', () => {
    const { page } = createSecurityHeaders({ hsts: null, imageHosts: [], analytics: null }, HASHES);
    const policy = page(Buffer.from('<style>a{}</style><script>steal()</script>'))['content-security-policy'];
    expect(policy).toContain("script-src 'self'; ");
    expect(policy).toContain("style-src 'self'; ");
  });

  it('stores one policy for pages that differ in elements that the build has not hashed', () => {
    const { page } = createSecurityHeaders({ hsts: null, imageHosts: [], analytics: null }, HASHES);
    const [one, two] = ['one()', 'two()'].map((text) => Buffer.from(`${HTML}<script>${text}</script>`));
    expect(page(one ?? PAGE)).toBe(page(two ?? PAGE));
  });

  it('finds inline elements between words of any language, and no tag inside of a script', () => {
    const { page } = createSecurityHeaders({ hsts: null, imageHosts: [], analytics: null }, HASHES);
    const html = `<p>é — 漢字</p><script>"<style>${STYLE}</style>"</script><p>…</p><script>${SCRIPT}</script>`;
    const policy = page(Buffer.from(html))['content-security-policy'];
    expect(policy).toContain(`script-src 'self' '${hashInline(SCRIPT)}';`);
    expect(policy).toContain("style-src 'self'; ");
  });

  it('requires TLS only when the site has it', () => {
    const plain = createSecurityHeaders({ hsts: null, imageHosts: [], analytics: null }, HASHES);
    const secure = createSecurityHeaders({ hsts: 'day', imageHosts: [], analytics: null }, HASHES);
    expect(plain.api).not.toHaveProperty('strict-transport-security');
    expect(secure.api['strict-transport-security']).toBe('max-age=86400');
    expect(secure.page(PAGE)['content-security-policy']).toContain('upgrade-insecure-requests');
  });

  it.each([
    ['off', 'max-age=0'],
    ['year', 'max-age=31536000'],
    ['year-subdomains', 'max-age=31536000; includeSubDomains'],
    ['preload', 'max-age=31536000; includeSubDomains; preload'],
  ] as const)(
    'asks browsers for TLS for longer, and on subdomains, only as HSTS=%s says',
    (hsts, expected) => {
      const { api, file, page } = createSecurityHeaders({ hsts, imageHosts: [], analytics: null }, HASHES);
      for (const headers of [api, file, page(PAGE)])
        expect(headers['strict-transport-security']).toBe(expected);
    },
  );

  it('allows image hosts and the analytics tag when they are set', () => {
    const open = createSecurityHeaders(
      {
        hsts: 'day',
        imageHosts: ['images.example'],
        analytics: {
          script: 'https://tag.example',
          img: 'https://tag.example',
          connect: 'https://hits.example',
        },
      },
      HASHES,
    ).page(PAGE)['content-security-policy'];
    expect(open).toMatch(/img-src [^;]*https:\/\/images\.example/);
    expect(open).toMatch(/script-src [^;]*https:\/\/tag\.example/);
    expect(open).toMatch(/connect-src [^;]*https:\/\/hits\.example/);
  });
});

it('adds the headers that a response does not bring itself', () => {
  const own = { 'content-security-policy': "default-src 'self'" };
  const api = { 'content-security-policy': "default-src 'none'", 'x-frame-options': 'DENY' };
  const { headers } = secureResponse(new Response(null, { headers: own }), { api });
  expect(Object.fromEntries(headers)).toEqual({ ...own, 'x-frame-options': 'DENY' });
});

it('follows the hosts of images that the content allows', () => {
  const sources = { hsts: 'day' as const, imageHosts: ['one.example'], analytics: null };
  const { page } = createSecurityHeaders(sources, HASHES);
  const read = () => page(Buffer.from(''))['content-security-policy'];
  expect(read()).toContain('https://one.example');
  sources.imageHosts = ['two.example'];
  expect(read()).toContain('https://two.example');
  expect(read()).not.toContain('https://one.example');
});
