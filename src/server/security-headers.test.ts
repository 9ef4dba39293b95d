import { describe, expect, it } from 'vitest';
import { createSecurityHeaders } from './security-headers.ts';

const HASHES = { scripts: ['sha256-abc='], styles: ['sha256-def='] };

describe('createSecurityHeaders', () => {
  it('lets pages run what the build has hashed, and nothing else inline', () => {
    const { page } = createSecurityHeaders({ https: false, imageHosts: [], analytics: null }, HASHES);
    const policy = page['content-security-policy'];
    expect(policy).toContain("script-src 'self' 'sha256-abc=';");
    expect(policy).toContain("style-src 'self' 'sha256-def=';");
    expect(policy).not.toMatch(/unsafe-/);
    expect(policy).toContain("require-trusted-types-for 'script'");
  });

  it('lets a page with one style have no more than that', () => {
    const hashes = { scripts: [], styles: ['sha256-one=', 'sha256-two='] };
    const { page, pageWith } = createSecurityHeaders(
      { https: false, imageHosts: [], analytics: null },
      hashes,
    );
    expect(pageWith('sha256-two=')['content-security-policy']).toContain("style-src 'self' 'sha256-two=';");
    expect(pageWith('sha256-other=')).toBe(page);
  });

  it('demands TLS only when the site has it', () => {
    const plain = createSecurityHeaders({ https: false, imageHosts: [], analytics: null }, HASHES);
    const secure = createSecurityHeaders({ https: true, imageHosts: [], analytics: null }, HASHES);
    expect(plain.api).not.toHaveProperty('strict-transport-security');
    expect(secure.api['strict-transport-security']).toMatch(/max-age=63072000/);
    expect(secure.page['content-security-policy']).toContain('upgrade-insecure-requests');
  });

  it('opens for image hosts and the analytics tag only when they are set', () => {
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
    ).page['content-security-policy'];
    expect(open).toMatch(/img-src [^;]*https:\/\/images\.example/);
    expect(open).toMatch(/script-src [^;]*https:\/\/tag\.example/);
    expect(open).toMatch(/connect-src [^;]*https:\/\/hits\.example/);
  });
});
