import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Private or ambiguous words that were replaced, with the term to use instead. */
const REPLACED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\banew\b/i, 'again, re-rendered, created'],
  [/\bkeepers?\b|\w+Keeper\b/, 'queue, store, cache'],
  [/\bkept\b/i, 'cached, stored'],
  [/\bstands?\b(?! (for|on)\b)(?!-in|alone)/i, 'is'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bheld to\b|\bholds? (it|them|this|that|for every)\b/i, 'enforce, assert'],
  [/\b(is|are|was) none\b/i, 'is invalid, is missing'],
  [/\b(some|any|no|every)body\b|\bwhoever\b/i, 'the user, caller, visitor or operator'],
  [/\banswer\??\.(status|headers|json|text|body|ok)\b/, 'response'],
  [/\bas well as can be\b|\bat one time\b/i, 'at maximum quality, concurrently'],
  [/\bwoken\b|\bwakes?\b|data-wakes/i, 'deferred, hydrated'],
  [/client:touch\b/, 'client:interaction'],
  [/\bluggage\b/i, 'visit'],
  [
    /\bpress(es|ed)? (of|on|by|without) (a|an|the) (link|button|mouse)|\b(is|are|was|when|link|button)s? pressed\b/i,
    'click',
  ],
  [/\bHttp(Call|Answer|Handler)\b/, 'Request, Response'],
  [/\bContactDesk\b|\bcontact-desk\b/, 'ContactService'],
  [/\btraps?\b/i, 'honeypot'],
  [/\bUpstreamGate\b|\bupstream-gate\b/, 'circuit breaker'],
  [/\bRefreshingMap\b|\bcached-maps\b/, 'stale-while-revalidate cache'],
  [/\bArticle(Maker|Library|Notes)\b|\barticle-(maker|library|notes)\b/, 'mapper, repository, source status'],
  [/\brememberFor\b/, 'memoizeByKey'],
  [/\bset aside\b|\bkeepAside\b/i, 'quarantine'],
  [/\btall(y|ies)\b/i, 'counters'],
  [/\bpolicyOpenings\b/, 'cspSources'],
  [/\bkept-text\b|\bsession-record\b|\bprivacy-signal\b/, 'storage, gpc'],
  [/\bTouches\b|\bcampaignInForce\b/, 'attribution, last-touch campaign'],
  [
    /\badopt-start\b|\buse-digits\b|\buse-spoken\b/,
    'hydrate-state, use-number-shortcuts, use-live-announcement',
  ],
  [
    /\bhero-(deed|words)\b|\barticle-(words|end|path)\b/,
    'hero-actions, hero-copy, article body, footer, breadcrumb',
  ],
  [/\barticle functions?\b/i, 'article proxy endpoints'],
  [/\bthe way of an? (request|event|visit)\b/i, 'life of a request'],
  [/\blimit pages?\b|\blimit-page\b/i, 'baseline page'],
  [/\bdiscovery\b/i, 'SEO'],
  [/\bpictures?\b/i, 'image'],
  [/\btelling words?\b/i, 'key terms'],
  [/\b(MOST|LONGEST|SHORTEST|PATIENCE)_[A-Z]+|\bPATIENCE\b/, 'MAX_, MIN_, TIMEOUT_MS'],
  [
    /\b(server|service|source|site|endpoint|handler|upstream|store|front|page|address|it) answers\b/i,
    'responds',
  ],
  [/\bback.?offices?\b/i, 'console, console thread'],
  [/\bentrances?\b/i, 'access'],
  [/\bleagues?\b/i, 'ranking'],
  [/\bstrangers?\b/, 'clients without a session, unknown clients'],
  [/\byoung (clicks?|ones)\b/, 'immature clicks'],
  [/\banswer(s|ed)?( with)? [1-5]\d\d\b|\bHTTP answer\b|\bbuildAnswer\b/, 'response, responds'],
];

/** Lines in which a replaced word names something else. */
const EXCEPTIONS: readonly RegExp[] = [
  // The HTML element, and the name of a permission.
  /<\/?picture|\?picture>|['|]picture['|]|picture-in-picture/,
];

/** Files that contain the words because they reject them. */
const NAMING_THE_WORDS = /^test\/language\.test\.ts$|^src\/core\/pages\/copy-rules(\.test)?\.ts$/;

const FILES = execFileSync(
  'git',
  ['ls-files', 'src', 'scripts', 'tools', 'test', 'docs', 'migrations', '*.md', '*.ts'],
  {
    cwd: ROOT,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((name) => /\.(ts|tsx|astro|mjs|css|sql|md)$/.test(name))
  .filter((name) => !NAMING_THE_WORDS.test(name) && name !== 'CHANGELOG.md' && !name.startsWith('content/'));

it('code and documentation use the standard terms instead of the words that they replaced', () => {
  expect(FILES.length).toBeGreaterThan(300);
  const found = FILES.flatMap((name) =>
    readFileSync(path.join(ROOT, name), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        if (EXCEPTIONS.some((exception) => exception.test(line))) return [];
        return REPLACED.filter(([pattern]) => pattern.test(line)).map(
          ([pattern, instead]) => `${name}:${index + 1} "${pattern.exec(line)?.[0]}": write ${instead}`,
        );
      }),
  );
  expect(found).toEqual([]);
});
