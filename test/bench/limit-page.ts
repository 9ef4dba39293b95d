import { createHash } from 'node:crypto';

const STYLE = `
:root{color-scheme:light dark}
body{max-width:44rem;margin:2rem auto;padding:0 1rem;font:1.0625rem/1.65 system-ui,sans-serif;color:#1f2430;background:#fbf9f4}
h1,h2,h3,h4{line-height:1.2;text-wrap:balance}img{max-width:100%;height:auto}
table{border-collapse:collapse}th,td{border-bottom:1px solid #d8d3c8;padding:.4rem .6rem;text-align:left}
@media(prefers-color-scheme:dark){body{color:#ece8df;background:#0f131c}a{color:#9ab4ff}}
`.trim();

/** Policy under which the limit page's one inline style applies. */
export const LIMIT_POLICY = `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

const KEPT =
  /^(?:h[1-6]|p|ul|ol|li|dl|dt|dd|a|img|picture|source|table|thead|tbody|tr|th|td|blockquote|figure|figcaption|strong|em)$/;
const ATTRIBUTES = /\s(href|src|srcset|sizes|type|alt|width|height|fetchpriority|loading)="([^"]*)"/g;

/**
 * Builds the least that could show a page's words and pictures: its `main` without scripts, islands, icons and
 * classes, one short inline style, no font. What a page by hand would be at best.
 */
export function buildLimitPage(html: string): string {
  const title = /<title>(.*?)<\/title>/s.exec(html)?.[1] ?? '';
  const main = /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? '';
  const words = main
    .replace(/<(script|style|svg|template|noscript|form|dialog)\b.*?<\/\1>/gs, '')
    .replace(/<!--.*?-->/gs, '')
    .replace(/<(\/?)([a-z][a-z0-9-]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>/gi, (_, slash, name, rest) =>
      KEPT.test(name) ? `<${slash}${name}${slash === '' ? keepAttributes(rest) : ''}>` : ' ',
    );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><meta name="description" content="Words and pictures."><style>${STYLE}</style></head><body><main>${words}</main></body></html>`;
}

function keepAttributes(text: string): string {
  return [...text.matchAll(ATTRIBUTES)].map(([, name, value]) => ` ${name}="${value}"`).join('');
}
