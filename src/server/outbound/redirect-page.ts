import type { StorageRule } from '../../core/consent/needs-asking.ts';
import { decideStorageMode } from '../../core/consent/storage-mode.ts';
import { chooseDestination } from '../../core/outbound/build-outbound-url.ts';
import { chooseLabel } from '../../core/outbound/labels.ts';
import { buildPaidAddress, buildPartnerTargets, type Partner } from '../../core/outbound/partner.ts';
import { buildPlacement } from '../../core/outbound/placement.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';
import { escapeHtml } from '../../core/text/parse-text.ts';
import { hashInline } from '../http/security-headers.ts';

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
  /** What decides in the browser whether storage may be read. */
  readonly storage: { readonly rule: StorageRule; readonly choice: string };
}

/** The whole style; the colors are those of `src/styles/tokens.css`. */
const STYLE = `
:root{color-scheme:light dark;
--surface:#fbf9f3;--ink:#161e2c;--muted:#535b69;
--line:#d9d4c9;--accent:#2454b3}
@media(prefers-color-scheme:dark){:root{
--surface:#0e131b;--ink:#eeebe4;--muted:#afaaa0;
--line:#303640;--accent:#84b7f9}}
body{margin:0;min-height:100vh;display:grid;place-items:center;
background:var(--surface);color:var(--muted);font:1.0625rem/1.6 system-ui,sans-serif}
main{padding:2rem;max-width:34rem;text-align:center}
h1{margin:1.5rem 0 .5rem;color:var(--ink);font-size:1.5rem;line-height:1.25;text-wrap:balance}
p{margin:0;text-wrap:balance}
a{color:var(--accent);text-underline-offset:.2em}
a:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:2px}
.spinner{width:2.5rem;height:2.5rem;margin:auto;
border:3px solid var(--line);border-top-color:var(--accent);border-radius:50%;animation:turn .8s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
@media(prefers-reduced-motion:reduce){.spinner{animation:none}}
.late,.is-late .early,.is-late .spinner{display:none}
.is-late .late{display:inline}
@media(scripting:none){.spinner{animation:turn .8s linear infinite,leave 0s 3s forwards}}
@keyframes leave{to{visibility:hidden}}
@media(forced-colors:active){.spinner{border-color:CanvasText;border-top-color:Highlight}}
`.trim();

const SCRIPT = `(${leaveForPartner.toString()})(${decideStorageMode.toString()})`;

/**
 * Content security policy of the redirect page. Its script is inline, by its hash: it cannot fail to load, and the
 * visitor does not wait for a second request.
 */
export const REDIRECT_POLICY = [
  "default-src 'none'",
  `script-src '${hashInline(SCRIPT)}'`,
  `style-src '${hashInline(STYLE)}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/**
 * Builds the page that shows visitors where they go and takes them there: by its script at once; with scripts off, by
 * the refresh in `noscript`; when something prevents the script from running, by the refresh after a second, which the
 * script's own navigation cancels. A page that is still shown after 3 s says so in place of its spinner.
 */
export function buildRedirectPage({ name, target, repeatUrl, isPrefetched, storage }: RedirectPage): string {
  const partner = escapeHtml(name);
  const href = escapeHtml(target);
  const data =
    repeatUrl === null
      ? ''
      : ` data-repeat="${escapeHtml(repeatUrl)}" data-storage="${storage.rule}" data-choice="${storage.choice}"` +
        (isPrefetched ? ' data-prefetched="1"' : '');
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
<style>${STYLE}</style>
</head>
<body>
<main>
<div class="spinner" aria-hidden="true"></div>
<h1>Redirecting to ${partner}...</h1>
<p role="status"><span class="early">Nothing happening?</span><span class="late">${partner} has not opened yet.</span>
<a href="${href}" rel="sponsored noopener">Continue to ${partner}</a></p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/**
 * Runs in the redirect page: leaves for the target at once, and again after 300 ms if no navigation has begun. A
 * navigation that has begun cancels the second attempt: Firefox would request the target of a slow partner again. After
 * 3 s the page says that the partner has not opened.
 *
 * When the link carried nothing of the visit, and storage may be read (`decideMode`), the redirect is requested once more
 * with the records in storage: those of this tab, or, in a tab that was opened from a page of this site, the copy that all
 * tabs share.
 *
 * The function is sent as text, so it uses nothing from outside itself.
 */
export function leaveForPartner(decideMode: typeof decideStorageMode): void {
  const link = document.querySelector('a');
  const { repeat, prefetched } = document.documentElement.dataset;
  let target = link?.href ?? '';
  const readRecords = (): unknown[] => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const { dataset } = document.documentElement;
    const { globalPrivacyControl: gpc } = navigator;
    const choice = gpc || !dataset['choice'] ? '' : localStorage.getItem('visit-choice');
    if (decideMode(dataset, gpc, timeZone, choice) !== false) return [];
    const names = ['utm_original_params', 'user_journey_data', 'assessment_results'];
    const records = names.map((name) => sessionStorage.getItem(name));
    if (records.some(Boolean)) return records;
    const [time, ...copy] = JSON.parse(localStorage.getItem('visit-data') ?? '[0]');
    const isOpenedHere = document.referrer.startsWith(`${location.origin}/`);
    return isOpenedHere && Date.now() - time < 1_800_000 ? [...copy, null] : [];
  };
  const start = () => {
    if (repeat) {
      if (prefetched) target = repeat;
      try {
        const records = readRecords();
        const text = encodeURIComponent(JSON.stringify([...records, Date.now()]));
        if (records.length > 0 && text.length < 8000) target = `${repeat}&stored=${text}`;
      } catch {
        // Storage is denied: the target stays as it is.
      }
    }
    setTimeout(() => document.body.classList.add('is-late'), 3000);
    const go = () => location.replace(target);
    const timer = setTimeout(go, 300);
    addEventListener('beforeunload', () => clearTimeout(timer));
    go();
  };
  // A page that a browser loads in advance is not a visit until it is shown.
  if (document.prerendering) {
    document.addEventListener('prerenderingchange', start, { once: true });
  } else {
    start();
  }
}

const getDirectTargets = memoizeByKey(
  (partners: ReadonlyMap<string, Partner>) =>
    new Map([...buildPartnerTargets(partners)].filter(([, { partner }]) => partner.redirect === 'no')),
);

/**
 * Replaces the links of a page (its path) to partners without a redirect by the partner's own address, with the label of the
 * page on a day (`YYYY-MM-DD`). Browsers report a click on them to
 * the path of the redirect (`ping`), which counts it; where a script can, it does that in their place, with the visit.
 */
export function leadPastRedirect(
  html: string,
  partners: ReadonlyMap<string, Partner>,
  page: string,
  day: string,
): string {
  const targets = getDirectTargets(partners);
  if (targets.size === 0) return html;
  const led = html.replace(/ href="(\/[^"?#]*)(\?[^"#]*)?"/g, (link, path: string, query = '') => {
    const target = targets.get(path);
    if (target === undefined) return link;
    const { partner, pageKey } = target;
    const parameters = new URLSearchParams(query.replaceAll('&amp;', '&'));
    const key = pageKey ?? parameters.get('page') ?? '';
    const place = buildPlacement(parameters.get('source') ?? '', parameters.get('position') ?? '');
    const label = partner.labels === undefined ? null : chooseLabel(partner.labels, page, place, day);
    const address = buildPaidAddress(partner, chooseDestination(partner, key), label);
    return ` href="${escapeHtml(address)}" ping="${path}${query}"`;
  });
  return led === html ? html : led.replace(/<\/body>/, () => `<script>${COUNT_SCRIPT}</script></body>`);
}

const COUNT_SCRIPT = `(${countDirectClicks.toString()})()`;

/** The hash of the script that `leadPastRedirect` adds. */
export const COUNT_SCRIPT_HASH = hashInline(COUNT_SCRIPT);

/**
 * Runs in pages with links past the redirect: counts a click with what session storage knows of the visit, in storage-free
 * mode with what the page knows. A double click is one click and opens one tab. The function is sent as text, so it uses nothing from outside itself.
 */
function countDirectClicks(): void {
  const SAME_CLICK_MS = 1000;
  let last: Element | null = null;
  let since = 0;
  const count = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[ping]');
    // The visit script may take a click to repeat it when it has loaded.
    if (link === null || event.button > 1 || event.defaultPrevented) return;
    if (link === last && event.timeStamp < since + SAME_CLICK_MS) return event.preventDefault();
    last = link;
    since = event.timeStamp;
    const { ping } = link;
    const address = new URL(ping, location.href);
    address.searchParams.set('from', location.pathname);
    const known = window.held && new URLSearchParams(window.readVisitQuery?.() ?? 'free=1');
    try {
      const names = ['utm_original_params', 'user_journey_data', 'assessment_results'];
      const records = known ? [] : names.map((name) => sessionStorage.getItem(name));
      const text = JSON.stringify([...records, Date.now()]);
      if (records.some(Boolean) && text.length < 6000) address.searchParams.set('stored', text);
    } catch {
      // Storage is denied: the click is counted without its visit.
    }
    if (known) for (const [name, value] of known) address.searchParams.set(name, value);
    else address.searchParams.set('click', URL.createObjectURL(new Blob()).slice(-36));
    if (!navigator.sendBeacon(address)) return;
    link.ping = '';
    setTimeout(() => {
      link.ping = ping;
    });
  };
  for (const type of ['click', 'auxclick'] as const) document.addEventListener(type, count);
}
