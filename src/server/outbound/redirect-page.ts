import { createHash } from 'node:crypto';
import { escapeHtml } from '../../core/text/escape-html.ts';
import { leaveForPartner } from './redirect-script.ts';
import { REDIRECT_STYLE } from './redirect-style.ts';

/** The content of one redirect page. */
export interface RedirectPage {
  /** Name of the partner, as visitors know it. */
  readonly name: string;
  /** Absolute address that the visitor leaves for. */
  readonly target: string;
  /** URL of the redirect itself, to request again with the records in storage; null when the target is final. */
  readonly repeatUrl: string | null;
  /** The page was loaded before the click: request it again when it is shown, whatever storage contains. */
  readonly isPrefetched: boolean;
}

const SCRIPT = `(${leaveForPartner.toString()})()`;

/**
 * Content security policy of the redirect page. Its script is inline, by its hash: it cannot fail to load, and the
 * visitor does not wait for a second request.
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
 * Builds the page that shows visitors where they go and takes them there: by its script at once; with scripts off, by
 * the refresh in `noscript`; when something prevents the script from running, by the refresh after a second, which the
 * script's own navigation cancels.
 */
export function buildRedirectPage({ name, target, repeatUrl, isPrefetched }: RedirectPage): string {
  const partner = escapeHtml(name);
  const href = escapeHtml(target);
  const data =
    repeatUrl === null
      ? ''
      : ` data-repeat="${escapeHtml(repeatUrl)}"${isPrefetched ? ' data-prefetched="1"' : ''}`;
  return `<!doctype html>
<html lang="en"${data}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>Redirecting to ${partner}...</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<noscript><meta http-equiv="refresh" content="0; url=${href}"></noscript>
${isPrefetched ? '' : `<meta http-equiv="refresh" content="1; url=${href}">`}
<style>${REDIRECT_STYLE}</style>
</head>
<body>
<main>
<div class="spinner" aria-hidden="true"></div>
<h1>Redirecting to ${partner}...</h1>
<p>Nothing happening? <a href="${href}" rel="sponsored noopener">Continue to ${partner}</a></p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
