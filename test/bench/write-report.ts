import type { ArticleFigures } from './articles.ts';
import type { LoadRow, Measurements } from './measurements.ts';
import type { Navigation } from './navigation.ts';
import type { PageBytes } from './page-bytes.ts';
import type { ServingRow } from './serving.ts';
import type { Throughput } from './wrk.ts';

const count = (value: number) => Math.round(value).toLocaleString('en');
const kilobytes = (bytes: number) => (bytes / 1_000).toFixed(1);
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** Builds docs/performance.md: the goals first, then every figure that was measured. */
export function buildReport(measured: Measurements): string {
  return `# Performance

Measured by \`npm run bench\` on ${measured.date}: ${measured.machine}. ${measured.nginx ? `Beside it, ${measured.nginx} with two workers.` : 'nginx is not installed.'}
The server, the load and, where there is one, the browser share the machine. Figures move with it; ratios hardly do.

## Goals

${table(['goal', 'measured', 'met'], listGoals(measured))}

## Page load

Lighthouse, mobile, medians in ms; scores are the least of all runs: performance, accessibility, best practices, search.
The *baseline page* has the words, images and inline style of the same page, without scripts, islands and what it says
about itself to machines: the same page, written by hand. The *bare* page has the words and images alone, with one
short style and the reader's own font (\`test/bench/baseline-page.ts\`). *nginx* is the baseline page served by nginx. All
others come from the site's own server.

${table(
  [
    'route',
    'LCP',
    'limit',
    'ratio',
    'bare',
    'nginx',
    'FCP',
    'limit',
    'ratio',
    'bare',
    'blocking',
    'shift',
    'scores',
    'runs',
  ],
  measured.loads.map(buildLoadRow),
)}

## Bytes

Kilobytes over the wire of a cold load on a phone without a touch, bodies of the answers, brotli where the browser
takes it${measured.bytes.length > 0 ? '' : ' (not measured in this run)'}. A browser asks for brotli on loopback as it does behind TLS.

${table(['route', 'HTML', 'CSS', 'script', 'font', 'images'], measured.bytes.map(buildBytesRow))}

## Serving

32 connections by wrk, without compression on the wire, on a site of 1,000 articles. An article *rendered each time* is in
memory as the source gives it; its page is rendered again for each request.

${table(['what', 'requests/s', 'p99 ms', 'failed', 'nginx requests/s', 'ratio'], measured.serving.map(buildServingRow))}

## Navigation

From the click on a link on the front page, pointed at for a moment before, to the paint of the article, without a
graphics card. With the view transition: ${listNavigations(measured.navigation)}. Without it, for visitors who ask for less
motion: ${listNavigations(measured.still)}.

## 10,000 articles of 1,000 words

${buildArticles(measured.articles)}

## Process

Ready ${count(measured.cost.startMs)} ms after its start; ${count(measured.cost.idleMegabytes)} MB resident when idle. The images and sharing images of
1,000 articles take ${measured.imageSeconds.drawing.toFixed(0)} s of processor time in a first build when each has a drawing (SVG), ${measured.imageSeconds.photo.toFixed(0)} s when each has a photo of 1,600 × 1,067
pixels; later builds convert only what is new.
`;
}

function listGoals(measured: Measurements): string[][] {
  const { loads, serving, navigation, cost, imageSeconds } = measured;
  const goal = (what: string, value: number, isMet: boolean, text: string) => [
    what,
    Number.isFinite(value) ? text : 'not measured',
    Number.isFinite(value) && isMet ? 'yes' : 'no',
  ];
  const most = (values: readonly number[]) => (values.length === 0 ? Number.NaN : Math.max(...values));
  const least = (values: readonly number[]) => (values.length === 0 ? Number.NaN : Math.min(...values));
  const lcp = most(loads.map(({ own, limit }) => own.lcp / limit.lcp));
  const fcp = most(loads.map(({ own, limit }) => own.fcp / limit.fcp));
  const blocking = most(loads.map(({ own }) => own.blocking));
  const shift = most(loads.map(({ own }) => own.shift));
  const score = least(loads.flatMap(({ own }) => own.scores));
  const ratio = least(serving.flatMap(({ own, nginx }) => (nginx ? [own.perSecond / nginx.perSecond] : [])));
  const of = (name: string): Throughput | undefined => serving.find((row) => row.name.startsWith(name))?.own;
  const rendered = of('article, rendered')?.perSecond ?? Number.NaN;
  const go = of('/go')?.perSecond ?? Number.NaN;
  const late = of('/go')?.p99 ?? Number.NaN;
  const fromMemory = /from memory|hub page|function/;
  const slowest = most(
    (measured.articles?.rows ?? []).filter(({ name }) => fromMemory.test(name)).map(({ p99 }) => p99),
  );
  const middle = (list: readonly Navigation[]) =>
    list.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
  const [shown, still] = [middle(navigation), middle(measured.still)];
  return [
    goal('LCP at most 1.10 × the baseline page', lcp, lcp <= 1.1, `${lcp.toFixed(2)} at worst`),
    goal('FCP at most 1.10 × the baseline page', fcp, fcp <= 1.1, `${fcp.toFixed(2)} at worst`),
    goal('blocking time 0 ms', blocking, blocking < 1, `${blocking.toFixed(0)} ms at most`),
    goal('layout shift 0', shift, shift < 0.001, shift.toFixed(3)),
    goal('scores of 100', score, score === 100, `${score} at least`),
    goal('static and cached at least 0.2 × nginx', ratio, ratio >= 0.2, ratio.toFixed(2)),
    goal('an article rendered each time: 2,000/s', rendered, rendered >= 2_000, `${count(rendered)}/s`),
    goal('/go durable: 5,000/s', go, go >= 5_000, `${count(go)}/s`),
    goal('/go p99 under 20 ms', late, late < 20, `${late.toFixed(1)} ms`),
    goal(
      '/blog, an article and search of 10,000, p99 under 10 ms',
      slowest,
      slowest < 10,
      `${slowest.toFixed(1)} ms at most`,
    ),
    goal('next page in under 100 ms', shown, shown < 100, `${shown.toFixed(0)} ms, median`),
    goal('the same without transition', still, still < 100, `${still.toFixed(0)} ms, median`),
    goal(
      'idle under 150 MB',
      cost.idleMegabytes,
      cost.idleMegabytes < 150,
      `${count(cost.idleMegabytes)} MB`,
    ),
    goal(
      'images of 1,000 articles in under 60 s of processor time',
      imageSeconds.drawing,
      imageSeconds.drawing < 60,
      `${imageSeconds.drawing.toFixed(0)} s for drawings, ${imageSeconds.photo.toFixed(0)} s for photos`,
    ),
  ];
}

function buildArticles(articles: ArticleFigures | null): string {
  if (articles === null) return 'Not measured in this run.';
  const rows = articles.rows.map(({ name, p50, p99 }) => [name, p50.toFixed(1), p99.toFixed(1)]);
  return `From an article service that is away, by one connection. Ready ${count(articles.startMs)} ms after the start;
${count(articles.megabytes)} MB resident at the end. The search index alone: ${articles.index.replace('index alone: ', '')}.

${table(['what', 'p50 ms', 'p99 ms'], rows)}`;
}

const listNavigations = (navigations: readonly Navigation[]) =>
  navigations
    .map(({ ms, wasAhead }) => `${ms.toFixed(0)} ms${wasAhead ? '' : ' (not loaded ahead)'}`)
    .join(', ');

function buildLoadRow({ route, own, limit, bare, nginx }: LoadRow): string[] {
  return [
    route,
    count(own.lcp),
    count(limit.lcp),
    (own.lcp / limit.lcp).toFixed(2),
    count(bare.lcp),
    nginx ? count(nginx.lcp) : '',
    count(own.fcp),
    count(limit.fcp),
    (own.fcp / limit.fcp).toFixed(2),
    count(bare.fcp),
    count(own.blocking),
    own.shift.toFixed(3),
    own.scores.join(' '),
    String(own.runs),
  ];
}

function buildBytesRow({ route, html, css, script, font, image }: PageBytes): string[] {
  return [route, ...[html, css, script, font, image].map(kilobytes)];
}

function buildServingRow({ name, own, nginx }: ServingRow): string[] {
  return [
    name,
    count(own.perSecond),
    own.p99.toFixed(1),
    String(own.failed),
    nginx ? count(nginx.perSecond) : '',
    nginx ? (own.perSecond / nginx.perSecond).toFixed(2) : '',
  ];
}
