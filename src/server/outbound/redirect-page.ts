import { createHash } from 'node:crypto';
import { escapeHtml } from './escape-html.ts';
import { leave } from './leave.ts';
import { REDIRECT_STYLE } from './redirect-style.ts';

/** What one redirect page says. */
export interface RedirectPage {
  /** Name of the partner, as readers know it. */
  readonly name: string;
  /** Absolute address that the visitor leaves for. */
  readonly target: string;
  /** Address of the redirect itself, to ask again with what session storage holds; null: the target is final. */
  readonly again: string | null;
  /** The page was loaded ahead of a click: ask again when it is shown, whatever storage holds. */
  readonly isStale: boolean;
}

const SCRIPT = `(${leave.toString()})()`;

/**
 * Policy of the redirect page. Its script is in the page, by its hash: it cannot fail to arrive, and a visitor
 * is not kept waiting for a second request.
 */
export const REDIRECT_POLICY = [
  "default-src 'none'",
  `script-src ${buildHash(SCRIPT)}`,
  `style-src ${buildHash(REDIRECT_STYLE)}`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

function buildHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/**
 * Builds the page that tells a visitor where they go and takes them there: by its script at once; where scripts
 * are off, by the refresh in `noscript`; where something keeps the script from running, by the one after a
 * second, which the script's own navigation cancels.
 */
export function buildRedirectPage({ name, target, again, isStale }: RedirectPage): string {
  const partner = escapeHtml(name);
  const href = escapeHtml(target);
  const data = again === null ? '' : ` data-again="${escapeHtml(again)}"${isStale ? ' data-stale="1"' : ''}`;
  return `<!doctype html>
<html lang="en"${data}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>Redirecting to ${partner}...</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<noscript><meta http-equiv="refresh" content="0;url=${href}"></noscript>
${isStale ? '' : `<meta http-equiv="refresh" content="1;url=${href}">`}
<style>${REDIRECT_STYLE}</style>
</head>
<body>
<main>
<div class="spinner" aria-hidden="true"></div>
<h1>Redirecting to ${partner}...</h1>
<p><a href="${href}" rel="sponsored noopener">Continue to ${partner}</a> if nothing happens.</p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
