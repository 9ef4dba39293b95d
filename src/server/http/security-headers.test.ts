import { describe, expect, it } from 'vitest';
import { createSecurityHeaders, hashInline } from './security-headers.ts';

const SCRIPT = 'console.log(1)';
const STYLE = 'a{color:red}';
const HASHES = {
  scripts: [hashInline(SCRIPT), hashInline('other()')],
  styles: [hashInline(STYLE), hashInline('b{color:red}')],
};
const PAGE = `<style>${STYLE}</style><script type="module" src="/a.js"></script><script type="module">${SCRIPT}</script>`;

describe('createSecurityHeaders', () => {
  it('allows a page its own inline scripts and styles that the build has hashed, and nothing else', () => {
    const { page } = createSecurityHeaders({ https: false, imageHosts: [], analytics: null }, HASHES);
    const policy = page(PAGE)['content-security-policy'];
    expect(policy).toContain(`script-src 'self' '${hashInline(SCRIPT)}';`);
    expect(policy).toContain(`style-src 'self' '${hashInline(STYLE)}';`);
    expect(policy).not.toMatch(/unsafe-/);
    expect(policy).toContain("require-trusted-types-for 'script'");
  });

  it('allows no inline script or style that the build has not hashed', () => {
    const { page } = createSecurityHeaders({ https: false, imageHosts: [], analytics: null }, HASHES);
    const policy = page('<style>a{}</style><script>steal()</script>')['content-security-policy'];
    expect(policy).toContain("script-src 'self'; ");
    expect(policy).toContain("style-src 'self'; ");
  });

  it('stores one policy for pages that differ in elements that the build has not hashed', () => {
    const { page } = createSecurityHeaders({ https: false, imageHosts: [], analytics: null }, HASHES);
    expect(page(`${PAGE}<script>one()</script>`)).toBe(page(`${PAGE}<script>two()</script>`));
  });

  it('requires TLS only when the site has it', () => {
    const plain = createSecurityHeaders({ https: false, imageHosts: [], analytics: null }, HASHES);
    const secure = createSecurityHeaders({ https: true, imageHosts: [], analytics: null }, HASHES);
    expect(plain.api).not.toHaveProperty('strict-transport-security');
    expect(secure.api['strict-transport-security']).toMatch(/max-age=63072000/);
    expect(secure.page(PAGE)['content-security-policy']).toContain('upgrade-insecure-requests');
  });

  it('allows image hosts and the analytics tag when they are set', () => {
    const open = createSecurityHeaders(
      {
        https: true,
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
