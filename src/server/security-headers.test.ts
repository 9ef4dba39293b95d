import { describe, expect, it } from 'vitest';
import { createSecurityHeaders } from './security-headers.ts';

const rendered =
  "script-src 'self' 'sha256-abc=' 'unsafe-inline'; style-src 'self' 'sha256-def=' https://evil.example;";

describe('createSecurityHeaders', () => {
  it('takes only hashes over from what the renderer says', () => {
    const policy = createSecurityHeaders({ https: false, imageHosts: [], analytics: null }).page(rendered)[
      'content-security-policy'
    ];
    expect(policy).toContain("script-src 'self' 'sha256-abc=';");
    expect(policy).toContain("style-src 'self' 'sha256-def=';");
    expect(policy).not.toMatch(/unsafe-inline|evil/);
    expect(policy).toContain("require-trusted-types-for 'script'");
  });

  it('demands TLS only when the site has it', () => {
    const plain = createSecurityHeaders({ https: false, imageHosts: [], analytics: null });
    const secure = createSecurityHeaders({ https: true, imageHosts: [], analytics: null });
    expect(plain.api).not.toHaveProperty('strict-transport-security');
    expect(secure.api['strict-transport-security']).toMatch(/max-age=63072000/);
    expect(secure.page('')['content-security-policy']).toContain('upgrade-insecure-requests');
  });

  it('opens for image hosts and the analytics tag only when they are set', () => {
    const open = createSecurityHeaders({
      https: true,
      imageHosts: ['images.example'],
      analytics: {
        script: 'https://tag.example',
        img: 'https://tag.example',
        connect: 'https://hits.example',
      },
    }).page('')['content-security-policy'];
    expect(open).toMatch(/img-src [^;]*https:\/\/images\.example/);
    expect(open).toMatch(/script-src [^;]*https:\/\/tag\.example/);
    expect(open).toMatch(/connect-src [^;]*https:\/\/hits\.example/);
  });
});
