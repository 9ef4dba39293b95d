const BARE_STYLE = `
:root{color-scheme:light dark}
body{max-width:44rem;margin:2rem auto;padding:0 1rem;font:1.0625rem/1.65 system-ui,sans-serif;color:#1f2430;background:#fbf9f4}
h1,h2,h3,h4{line-height:1.2;text-wrap:balance}img{max-width:100%;height:auto}
table{border-collapse:collapse}th,td{border-bottom:1px solid #d8d3c8;padding:.4rem .6rem;text-align:left}
@media(prefers-color-scheme:dark){body{color:#ece8df;background:#0f131c}a{color:#9ab4ff}}
`.trim();

const CONTENT_TAGS =
  /^(?:h[1-6]|p|ul|ol|li|dl|dt|dd|a|img|picture|source|table|thead|tbody|tr|th|td|blockquote|figure|figcaption|strong|em)$/;
const ATTRIBUTES = /\s(href|src|srcset|sizes|type|alt|width|height|fetchpriority|loading)="([^"]*)"/g;
const SCRIPTED = /<(script|template|noscript)\b.*?<\/\1>/gs;

/**
 * Builds the baseline page: the page's own words, images, elements and inline style, without scripts, islands and what
 * the page says about itself to machines. What the same page would be, written by hand and served as a file.
 */
export function buildBaselinePage(html: string): string {
  const body = /<body[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? '';
  const styles = [...html.matchAll(/<style[^>]*>.*?<\/style>/gs)].map(([style]) => style);
  const words = body
    .replace(SCRIPTED, '')
    .replace(/<!--.*?-->/gs, '')
    .replace(/<\/?astro-island[^>]*>/g, '')
    .replace(/ data-[a-z-]+="[^"]*"/g, '');
  return buildDocument(html, styles.join(''), words.replace(/<style[^>]*>.*?<\/style>/gs, ''));
}

/** Builds the minimum that shows a page's words and images: no classes, one short style, no font. */
export function buildBarePage(html: string): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? '';
  const words = main
    .replace(/<(script|style|svg|template|noscript|form|dialog)\b.*?<\/\1>/gs, '')
    .replace(/<!--.*?-->/gs, '')
    .replace(/<(\/?)([a-z][a-z0-9-]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>/gi, (_, slash, name, rest) =>
      CONTENT_TAGS.test(name) ? `<${slash}${name}${slash === '' ? keepAttributes(rest) : ''}>` : ' ',
    );
  return buildDocument(html, `<style>${BARE_STYLE}</style>`, `<main>${words}</main>`);
}

function buildDocument(html: string, styles: string, body: string): string {
  const title = /<title>(.*?)<\/title>/s.exec(html)?.[1] ?? '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><meta name="description" content="Text and images.">${styles}</head><body>${body}</body></html>`;
}

function keepAttributes(text: string): string {
  return [...text.matchAll(ATTRIBUTES)].map(([, name, value]) => ` ${name}="${value}"`).join('');
}
