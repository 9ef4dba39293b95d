import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findKeptPromises, readModules, SOURCE, type SourceModule } from './support/source-modules.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/**
 * What each layer may import: other layers (and itself), and npm packages (`node:` stands for Node's own modules).
 * `docs/architecture.md` says what each layer is.
 */
const LAYERS = {
  core: { layers: [], packages: ['zod'] },
  stores: { layers: ['core'], packages: ['node:', 'lru-cache', 'zod'] },
  sources: {
    layers: ['core', 'stores'],
    packages:
      'node: aws4fetch csv-parse dom-serializer htmlparser2 ipaddr.js marked nodemailer sanitize-html saxes zod'.split(
        ' ',
      ),
  },
  'content-files': {
    layers: ['core', 'stores', 'sources'],
    packages:
      'node: @capsizecss/unpack @resvg/resvg-js csv-parse diff fontkitten htmlparser2 saxes sharp subset-font yaml zod'.split(
        ' ',
      ),
  },
  'move-in': {
    layers: ['core', 'stores', 'sources', 'content-files'],
    packages:
      'node: chardet csv-parse dom-serializer htmlparser2 mdast-util-from-markdown mdast-util-gfm mdast-util-mdx micromark-extension-gfm micromark-extension-mdxjs saxes smol-toml yaml yauzl zod'.split(
        ' ',
      ),
  },
  server: {
    layers: ['core', 'stores', 'sources', 'content-files'],
    packages: ['node:', 'feed', 'hono', 'ipaddr.js', 'isbot', 'lru-cache', 'prom-client', 'zod'],
  },
  console: {
    layers: ['core', 'stores', 'sources', 'content-files', 'move-in', 'server', 'ui', 'editor'],
    packages:
      'node: @simplewebauthn/browser @simplewebauthn/server diff hono ipaddr.js lru-cache react zod'.split(
        ' ',
      ),
  },
  editor: {
    layers: ['core', 'console'],
    packages: (
      'diff marked prosemirror-commands prosemirror-dropcursor prosemirror-gapcursor prosemirror-history ' +
      'prosemirror-inputrules prosemirror-keymap prosemirror-model prosemirror-schema-list prosemirror-state ' +
      'prosemirror-view react react-dom'
    ).split(' '),
  },
  commands: {
    layers: ['core', 'stores', 'sources', 'content-files', 'move-in', 'server', 'console', 'islands'],
    packages: ['node:', 'yaml', 'zod'],
  },
  runtimes: {
    layers: (
      'core stores sources content-files move-in server console commands browser ui sections ' +
      'islands styles'
    ).split(' '),
    packages: (
      'node: @hono/node-server astro #cloudflare-tools cloudflare:workers css-what hono lru-cache ' +
      'postcss react react-dom zod'
    ).split(' '),
  },
  browser: { layers: ['core'], packages: ['astro'] },
  ui: { layers: [], packages: ['react'] },
  sections: { layers: ['core', 'ui', 'islands'], packages: ['marked', 'react'] },
  islands: { layers: ['core', 'ui', 'browser'], packages: ['react', '@tanstack/react-query'] },
  styles: { layers: [], packages: [] },
  layouts: {
    layers: ['core', 'server', 'console', 'browser', 'ui', 'sections', 'islands', 'styles'],
    packages: [],
  },
  pages: {
    layers: ['core', 'server', 'console', 'browser', 'ui', 'sections', 'islands', 'styles', 'layouts'],
    packages: [],
  },
} as const satisfies Record<string, { layers: readonly string[]; packages: readonly string[] }>;

type Layer = keyof typeof LAYERS;

const FEATURES =
  'articles assessment products savings contact outbound events commissions pages seo consent console'.split(
    ' ',
  );

/** Folders that a layer has beside the features, and files that are directly in it; layers without rules are free. */
const FOLDERS: Partial<Record<Layer, { folders: readonly string[]; files: readonly string[] }>> = {
  core: { folders: ['text'], files: ['paths.ts', 'clock.ts', 'recent-map.ts', 'token-bucket.ts'] },
  sources: { folders: ['networks', 'http', 'links', 'mail', 'storage'], files: [] },
  server: {
    folders: ['http'],
    files: 'app.ts log.ts metrics.ts periodic-job.ts platform.ts setting-faults.ts settings.ts site.ts'.split(
      ' ',
    ),
  },
  runtimes: { folders: ['node', 'cloudflare', 'astro'], files: [] },
  browser: { folders: ['shell', 'islands'], files: ['storage.ts', 'platform.d.ts'] },
  sections: { folders: ['home', 'shell'], files: [] },
  islands: { folders: [], files: [] },
};

const modules = readModules();
const byName = new Map(modules.map((module) => [module.name, module]));

const layerOf = (name: string): Layer | undefined => {
  const first = name.split('/')[0] ?? '';
  return first in LAYERS && name.includes('/') ? (first as Layer) : undefined;
};

const isTest = (name: string) => /\.test\.tsx?$/.test(name);

/** One line for each import of a module that breaks a rule. */
function findImports(rule: (module: SourceModule, target: string, isTypeOnly: boolean) => boolean): string[] {
  return modules.flatMap((module) =>
    isTest(module.name)
      ? []
      : module.imports
          .filter(({ target, isTypeOnly }) => rule(module, target, isTypeOnly))
          .map(({ target }) => `${module.name} imports ${target}`),
  );
}

const isFile = (target: string) => target.startsWith('src/') || target.startsWith('../');

it('the scan finds at least 90 % of the code files in src and resolves their imports', () => {
  const all = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(ts|tsx|mjs|astro)$/.test(name),
  );
  expect(modules.length).toBeGreaterThanOrEqual(all.length * 0.9);
  const internal = modules
    .flatMap(({ imports }) => imports)
    .filter(({ target }) => target.startsWith('src/'));
  expect(internal.length).toBeGreaterThan(modules.length);
  const isData = (target: string) =>
    /\.(css|json|svg)$/.test(target) && existsSync(path.join(SOURCE, '..', target));
  expect(internal.filter(({ target }) => !byName.has(target.slice(4)) && !isData(target))).toEqual([]);
});

/** Commands install what is missing and read what a build has made. */
const isDevelopment = ({ name }: SourceModule, target: string) =>
  /^(?:commands|runtimes\/cloudflare\/tools)\//.test(name) && target.startsWith('../scripts/');

it('no module of src but commands and the tools of Workers imports a file outside src, and those only scripts', () =>
  expect(findImports((module, target) => target.startsWith('../') && !isDevelopment(module, target))).toEqual(
    [],
  ));

it('a layer imports only the layers that the table allows', () =>
  expect(
    findImports((module, target) => {
      const from = layerOf(module.name);
      const to = target.startsWith('src/') ? layerOf(target.slice(4)) : undefined;
      if (from === undefined || to === undefined || from === to) return false;
      return !(LAYERS[from].layers as readonly string[]).includes(to);
    }),
  ).toEqual([]));

it('a layer imports only the packages that the table allows', () =>
  expect(
    findImports((module, target, isTypeOnly) => {
      const layer = layerOf(module.name);
      if (layer === undefined || isFile(target) || isTypeOnly) return false;
      const name = target.startsWith('node:')
        ? 'node:'
        : target
            .split('/')
            .slice(0, target[0] === '@' ? 2 : 1)
            .join('/');
      if (/^(?:astro|virtual):/.test(target) && (layer === 'runtimes' || layer === 'pages')) return false;
      return !(LAYERS[layer].packages as readonly string[]).includes(name);
    }),
  ).toEqual([]));

it('core imports Zod in *.schema.ts only', () =>
  expect(
    findImports(
      ({ name }, target) => name.startsWith('core/') && target === 'zod' && !name.endsWith('.schema.ts'),
    ),
  ).toEqual([]));

it('core reads no clock, timer, random number, network or document', () => {
  const impure =
    /\b(Date\.now\(|new Date\(\)|Math\.random\(|crypto\.|fetch\(|document\.|window\.|localStorage|sessionStorage|process\.|performance\.|navigator\.|location\.|set(?:Timeout|Interval|Immediate)\()/;
  const found = modules
    .filter(({ name }) => name.startsWith('core/') && !isTest(name))
    .flatMap(({ name, text }) => {
      const code = text
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
        .replace(/'(?:[^'\\\n]|\\.)*'|`[^`]*`/g, "''");
      const match = impure.exec(code);
      return match ? [`${name} uses ${match[0]}`] : [];
    });
  expect(found).toEqual([]);
});

/** Assignments to the environment of the process, which the files that follow would have. */
const SETS_ENVIRONMENT =
  /\b(?:delete |(?:Object\.assign|Object\.definePropert\w+|Reflect\.\w+)\()process\.env\b|\bprocess\.env(?:\.\w+|\[[^\]]*\])?\s*(?:\?\?|\|\||&&)?=(?![=>])/;

it('no test and no support of tests sets the environment of its process, which vi.stubEnv does', () => {
  const tests = modules.filter(({ name }) => isTest(name)).map(({ name }) => path.join('src', name));
  const support = readdirSync(path.join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.join('test', name));
  expect(support).toContain(path.join('test', 'support', 'site.ts'));
  const found = [...tests, ...support].filter((name) =>
    SETS_ENVIRONMENT.test(readFileSync(path.join(ROOT, name), 'utf8')),
  );
  expect(found).toEqual([]);
});

it.each([
  ["ENV['A'] = 'b'", true],
  ['ENV.A = b', true],
  ["ENV['A'] ??= 'b'", true],
  ['ENV = {}', true],
  ["delete ENV['A']", true],
  ['Object.assign(ENV, settings)', true],
  ["ENV['A'] === 'b'", false],
  ["ENV['A'] !== 'b'", false],
  ["const a = ENV['A'] ?? 'b'", false],
  ['{ ...ENV, A: b }', false],
])('%s sets the environment: %s', (code, isExpected) =>
  expect(SETS_ENVIRONMENT.test(code.replace('ENV', 'process.env'))).toBe(isExpected),
);

it('JSON that was stored or received is parsed by a schema, not cast to a type', () => {
  const found = modules
    .filter(
      ({ name, text }) => !isTest(name) && /(?:JSON\.parse\(.*\)|\.json\(\)\)*) as (?!unknown\b)/.test(text),
    )
    .map(({ name }) => name);
  expect(found).toEqual([]);
});

/** Where JSON of networks is read: `parseJson` would round ids of more than 15 digits to those of other orders. */
const READ_NETWORKS = [
  'console/unmatched/read.ts',
  'server/commissions/postbacks.ts',
  'server/commissions/propose-network.ts',
  'server/commissions/replay-network.ts',
  'server/commissions/unread-messages.ts',
  'sources/networks/network-api.ts',
  'sources/networks/network-functions.ts',
];

it('JSON of networks is read by parseSentJson, and by nothing else', () => {
  const ofSent = modules.filter(({ name, text }) => !isTest(name) && /\bparseSentJson\b/.test(text));
  expect(ofSent.map(({ name }) => name).sort()).toEqual(['core/text/parse-text.ts', ...READ_NETWORKS].sort());
  const ofJson = modules.filter(
    ({ name, text }) => READ_NETWORKS.includes(name) && /\bparseJson\b|\.json\(\)/.test(text),
  );
  expect(ofJson.map(({ name }) => name)).toEqual([]);
});

/** Patterns of parts that are patterns themselves, or of names that code chooses. */
const BUILT_PATTERNS = [
  'content-files/networks.ts: pattern',
  'core/commissions/networks/network.schema.ts: source',
  'core/events/crawlers.ts: [...byToken.keys(',
  'core/outbound/link-state.ts: [',
  "core/pages/claims/content-rules.ts: buildRedirectPath('')",
  'core/pages/claims/content-rules.ts: [...PATTERNS.values(',
  'core/pages/claims/copy-rules.ts: [',
  'core/pages/content-uses.ts: value + figure + link + item',
  'content-files/edit/plan-removal.ts: address',
  'core/pages/redirects/own-links.ts: address',
  'console/content/plan-changes.ts: edge.join(escaped',
  'move-in/markdown-body.ts: Math.min(column, 8)',
  'move-in/media.ts: [...IMAGE_EXTENSIONS,',
  'editor/desk/typing.ts: sign',
  'editor/desk/typing.ts: words',
];

it('no text of a person becomes a pattern, or an expression of the search, as it is', () => {
  const found = modules
    .filter(({ name }) => !isTest(name))
    .flatMap(({ name, text }) => {
      const built = [...text.matchAll(/new RegExp\(\s*([\s\S]*?)\)(?:;|\.|,|\s|\]|\))/g)].flatMap(
        ([, given = '']) =>
          /^[`'"]|^String\.raw/.test(given)
            ? [...given.matchAll(/\$\{([^}`]*)/g)].map(([, part = '']) => part)
            : [given.split(/,\s/, 1)[0] ?? ''],
      );
      const patterns = built.filter((part) => !/^(?:[A-Z][A-Z_]+\b|RegExp\.escape\()/.test(part));
      const searches = /\bMATCH \$\{/.test(text) ? ['MATCH'] : [];
      return [...patterns, ...searches]
        .map((part) => `${name}: ${part}`)
        .filter((line) => !BUILT_PATTERNS.some((known) => line.startsWith(known)));
    });
  expect(found).toEqual([]);
});

/** Keys that select what a field holds: the field does that itself when it is entered, by mouse, touch and key. */
const SELECTS_ALL =
  /press\(\s*['"`](?:Control|ControlOrMeta|Meta)\+(?:Key)?[aA]['"`]|down\(\s*['"`](?:Control|Meta)|\.selectText\(|clickCount: [23]|tripleClick|setSelectionRange|(?<!\bsource)\.select\(\)/;

it('no test and no helper selects what a field holds before it types', () => {
  const folders = ['test/e2e', 'test/support'];
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name}`,
    ),
  );
  const found = files.filter(
    (name) => name.endsWith('.ts') && SELECTS_ALL.test(readFileSync(path.join(ROOT, name), 'utf8')),
  );
  expect(found).toEqual([]);
});

/** What gives a test random input that does not follow from `SEED`. */
const OWN_CHANCE = new RegExp(
  [
    /\bfc\s*\.\s*(?:assert|check|configureGlobal)\b/,
    /\bimport (?:fc, )?\{[^}]*\} from 'fast-check'/,
    /\bfc\.sample\([^;]*\bseed\b/,
    /\bMath\.random\b/,
    /\b(?:seed\s*[:=]|(?:createChance|SeededRandom|VirtualTime)\()[^;,)\n]*\b(?:Date|performance|hrtime)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

/** `forAll`, what hands the seed to fast-check, and the examples below. */
const OWNERS_OF_CHANCE = [
  'test/support/for-all.ts',
  'test/support/setup.ts',
  'edge/test/setup.ts',
  'test/architecture.test.ts',
];

it('random input of every test follows from one seed, and forAll alone checks properties', () => {
  const files = globSync(['test/**/*.{ts,tsx,mjs}', 'src/**/*.test.{ts,tsx}', 'edge/test/**/*.ts'], {
    cwd: ROOT,
    exclude: ['test/bench/**', ...OWNERS_OF_CHANCE],
  });
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((name) => {
    const [match] = OWN_CHANCE.exec(readFileSync(path.join(ROOT, name), 'utf8')) ?? [];
    return match === undefined ? [] : [`${name}: ${match}`];
  });
  expect(found).toEqual([]);
});

it.each([
  'await fc.assert(property);',
  'fc\n  .check(property);',
  'fc.configureGlobal({ seed: 1 });',
  "import { assert } from 'fast-check';",
  "import fc, { check } from 'fast-check';",
  'fc.sample(fc.nat(), { numRuns: 6, seed: 69 });',
  'random: Math.random,',
  'const SEED = Date.now();',
  'generate({ seed: Number(new Date()) });',
  'createChance(performance.now());',
])('finds chance of its own in %s', (text) => expect(text).toMatch(OWN_CHANCE));

it.each([
  "fc.sample(fc.nat(), 6); const hint = 'seed 1';",
  "import type { Arbitrary } from 'fast-check';",
  'const random = createChance(SEED + 1);',
  'function build(seed: number) { return Date.now(); }',
  'seed(site, Date.now());',
])('finds none in %s', (text) => expect(text).not.toMatch(OWN_CHANCE));

/** A duration, the processor or the memory that a test reads, or a helper that does; another clock is not seen. */
const MEASURE =
  /\bperformance\.now\(\) - |\b(?:cpuUsage|memoryUsage|readProcess|watchMachine|expectNoStall|expectIdle|measureImport)\(|\bVm(?:HWM|RSS)\b/;

/** Files whose durations no slow machine makes too long, with the reason. */
const HARMLESS_DURATIONS: Readonly<Record<string, string>> = {
  'src/runtimes/node/connections.test.ts': 'of a clock that the test moves on',
  'src/runtimes/node/http-server.test.ts': 'a slow round is repeated',
  'test/edge/local-worker.test.ts': 'has a lower bound alone',
  'test/fault/commissions.test.ts': 'says when to kill',
  'test/fault/content-saves.test.ts': 'says when to kill',
  'test/fault/data-copy.test.ts': 'a deadline of a minute',
};

/** Whether a test file measures and tags none of its tests so: it does not say which of them has to have the tag. */
const isUntagged = (text: string) =>
  MEASURE.test(text) && !/\btags: \[[^\]]*'measures'|@module-tag measures\b/.test(text);

it('a test file that measures time, memory or the processor tags what measures', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name}`)
    .concat(
      readdirSync(path.join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).map(
        (name) => `test/${name}`,
      ),
    );
  const found = files.filter(
    (name) =>
      // Tests of other systems run one by one.
      isTest(name) &&
      !name.startsWith('test/systems/') &&
      isUntagged(readFileSync(path.join(ROOT, name), 'utf8')),
  );
  expect(found.sort()).toEqual(Object.keys(HARMLESS_DURATIONS));
});

it.each([
  ['expect(performance.now() - began).toBeLessThan(1_000);', true],
  ['times.push(performance.now() - began);', true],
  ['const start = process.cpuUsage();', true],
  ['const { heapUsed } = process.memoryUsage();', true],
  ['const before = readProcess(pid).cpuMs;', true],
  ['const scale = watchMachine();', true],
  ['await expectNoStall(work);', true],
  ['await expectIdle(site.pid());', true],
  ['const peak = /VmHWM:\\s+(\\d+)/;', true],
  ["it('a', { tags: ['rest'] }, () => expectIdle(1));", true],
  ["it('a', { tags: ['measures'] }, () => expectIdle(1));", false],
  ["it('a', {\n  tags: ['rest', 'measures'],\n}, () => expectIdle(1));", false],
  // Vitest would take the tag of this file from the line as it is.
  ['/**\n * TAG rest\n * TAG measures\n */\nawait expectIdle(1);'.replaceAll('TAG', '@module-tag'), false],
  ['while (performance.now() < until) await sleep(20);', false],
  ['const clock = { monotonic: () => performance.now() };', false],
  ["import { watchMachine } from './scale-to-machine.ts';", false],
])('notices that a test measures without the tag: %s', (text, isNoticed) =>
  expect(isUntagged(text)).toBe(isNoticed),
);

it('only stores, sources, content files, moving in, commands and runtimes know the runtime', () => {
  const runtime =
    /^(node:(http|https|net|tls|fs|worker_threads|cluster|sqlite)|@hono\/node-server|cloudflare:)/;
  expect(
    findImports(
      ({ name }, target, isTypeOnly) =>
        !isTypeOnly &&
        runtime.test(target) &&
        !/^(stores|sources|content-files|move-in|commands|runtimes)\//.test(name),
    ),
  ).toEqual([]);
});

/** Where commands and the tools of Workers open databases; a backup and the demo work on files that no site has open. */
const OPENERS = (
  'src/commands/backup.ts src/commands/data/node-data.ts src/commands/data/versions.ts src/commands/demo.ts ' +
  'src/commands/recover.ts src/commands/site.ts src/runtimes/cloudflare/platform.ts ' +
  'src/runtimes/cloudflare/tools/main.ts src/runtimes/cloudflare/tools/worker-site.ts'
).split(' ');

it('a command gets its stores from its site, and few other files of commands and Workers open a database', () => {
  const opens =
    /^import (?!type).*(?:node:sqlite'|sqlite-executor\.ts'|d1-executor\.ts')|^\} from '.*(?:sqlite|d1)-executor\.ts'/m;
  const files = ['src/commands', 'src/runtimes/cloudflare'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name}`,
    ),
  );
  const found = files.filter(
    (name) =>
      /^(?!.*(?:node_modules|\/test\/)).*\.(?:ts|mjs)$/.test(name) &&
      opens.test(readFileSync(path.join(ROOT, name), 'utf8')),
  );
  expect(found.toSorted()).toEqual(OPENERS);
});

it('views, charts and the frame of the console import only types of stores and server', () =>
  expect(
    findImports(
      ({ name }, target, isTypeOnly) =>
        !isTypeOnly &&
        /^console\/(?:charts\/|frame\/|.*view\.tsx$)/.test(name) &&
        /^src\/(?:stores|server)\//.test(target),
    ),
  ).toEqual([]));

it('scripts of the console import only core, ui, browser, the editor and each other', () =>
  expect(
    findImports(
      ({ name }, target) =>
        /^(?:console\/islands|editor)\//.test(name) &&
        target.startsWith('src/') &&
        !/^src\/(?:core|ui|browser|editor|console\/islands)\//.test(target),
    ),
  ).toEqual([]));

it('no module that reaches the browser imports Zod, Node or server code', () => {
  const starts = modules.filter(
    ({ name, isBrowserEntry }) => /^(islands|browser|editor|console\/islands)\//.test(name) || isBrowserEntry,
  );
  const found = starts
    .filter(({ name }) => !isTest(name))
    .flatMap((start) =>
      findReachable(start)
        .filter(
          (target) =>
            target === 'zod' ||
            target.startsWith('node:') ||
            /^src\/(server|stores|sources|content-files|move-in|runtimes|pages)\//.test(target) ||
            target.endsWith('.schema.ts'),
        )
        .map((target) => `${start.name} reaches ${target}`),
    );
  expect(found).toEqual([]);
});

/** Every module and package that scripts of a module reach through imports that survive compilation. */
function findReachable(start: SourceModule): string[] {
  const seen = new Set<string>();
  const queue = [start];
  for (let module = queue.pop(); module; module = queue.pop()) {
    const imports = module.isBrowserEntry ? module.scriptImports : module.imports;
    for (const { target, isTypeOnly } of imports) {
      if (isTypeOnly || seen.has(target)) continue;
      seen.add(target);
      const next = byName.get(target.slice(4));
      if (next) queue.push(next);
    }
  }
  return [...seen];
}

it('no module imports itself through others, lazy imports included', () => expect(findCircles()).toEqual([]));

/** Circles of imports that survive compilation, each as `a -> b -> a`, found depth first. */
function findCircles(): string[] {
  const done = new Set<string>();
  const circles = new Set<string>();
  const visit = (name: string, trail: readonly string[]) => {
    const at = trail.indexOf(name);
    if (at >= 0) {
      circles.add([...trail.slice(at), name].join(' -> '));
      return;
    }
    if (done.has(name)) return;
    for (const { target, isTypeOnly } of byName.get(name)?.imports ?? []) {
      // Everything that a site is made of knows its type.
      if (isTypeOnly) continue;
      if (target.startsWith('src/') && byName.has(target.slice(4))) visit(target.slice(4), [...trail, name]);
    }
    done.add(name);
  };
  for (const { name } of modules) visit(name, []);
  return [...circles];
}

it('every file belongs to a feature folder or to a folder of the layout', () => {
  const strays = modules.flatMap(({ name }) => {
    const layer = layerOf(name);
    if (layer === undefined) return name === 'env.d.ts' ? [] : [name];
    const rules = FOLDERS[layer];
    if (rules === undefined) return [];
    const [, second = '', ...rest] = name.split('/');
    const isKnown =
      rest.length === 0
        ? rules.files.includes(second.replace(/\.test\.ts$/, '.ts'))
        : FEATURES.includes(second) || rules.folders.includes(second);
    return isKnown ? [] : [name];
  });
  expect(strays).toEqual([]);
});

it('docs/architecture.md lists the features of this test, and each has rules in the core', () => {
  const text = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8');
  const [, list = ''] = /feature names are used in every layer:\s+([^.]*)\./.exec(text) ?? [];
  expect([...list.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name)).toEqual(FEATURES);
  const folders = readdirSync(path.join(SOURCE, 'core'));
  expect(FEATURES.filter((name) => !folders.includes(name))).toEqual([]);
});

it('a module and a component of one folder never share a file name', () => {
  const stems = new Map<string, string[]>();
  for (const { name } of modules) {
    // A route is named after its path.
    if (isTest(name) || name.startsWith('pages/')) continue;
    const stem = name.replace(/\.(schema\.)?(tsx?|astro|d\.ts)$/, '');
    const kind = /\.(tsx|astro)$/.test(name) ? 'component' : 'module';
    stems.set(stem, [...(stems.get(stem) ?? []), `${kind} ${name}`]);
  }
  const shared = [...stems.values()].filter(
    (names) =>
      names.some((name) => name.startsWith('component')) &&
      names.some((name) => /^module (?!.*\.schema\.ts)/.test(name)),
  );
  expect(shared).toEqual([]);
});

it.each([
  [
    'a table says what it has, to those who do not see what stands around it',
    /<table(?![^>]*\baria-label)[^>]*>(?!\s*<caption)/,
  ],
  ['a time names its moment for programs, as HTML demands of words', /<time\b(?![^>]*\bdateTime=)/],
])('%s', (_, wrong) => {
  const found = modules.filter(
    ({ name, text }) => name.endsWith('.tsx') && !isTest(name) && wrong.test(text),
  );
  expect(found.map(({ name }) => name)).toEqual([]);
});

it('what the console counts is one thing or several', () => {
  const found = modules
    .filter(({ name }) => name.startsWith('console/') && !isTest(name))
    .flatMap(({ name, text }) =>
      [...text.matchAll(/\{formatNumber\((?:[^()]|\([^()]*\))*\)\} [a-z]+s\b/g)]
        .filter(({ index }) => !/=== 1\b/.test(text.slice(Math.max(0, index - 250), index)))
        .map(([words]) => `${name}: ${words}`),
    );
  expect(found).toEqual([]);
});

it('no two exports of src share a name', () => {
  const owners = new Map<string, Set<string>>();
  for (const { name, exports } of modules) {
    if (isTest(name)) continue;
    for (const exported of exports) owners.set(exported, (owners.get(exported) ?? new Set()).add(name));
  }
  const shared = [...owners]
    .filter(([exported, files]) => files.size > 1 && exported !== 'default' && exported !== 'command')
    .map(([exported, files]) => `${exported}: ${[...files].join(', ')}`);
  expect(shared).toEqual([]);
});

/** Where a promise is kept without `SharedReads`, with the reason why no request of a worker waits for another one there. */
const KEPT_PROMISES: Readonly<Record<string, string>> = {
  'console/access/password.ts #last': 'asks sharesWork',
  'console/reports/periods.ts #reads': 'of one request',
  'console/start/sample.ts #shown': 'Node alone has a sample to look at',
  'server/events/durable-event-queue.ts #pending': 'awaited by close alone',
  'server/events/durable-event-queue.ts #retrying': 'nothing waits in the memory of a worker',
  'server/periodic-job.ts #running': 'awaited by stop alone',
  'stores/data-copy.ts #turn': 'Node alone copies',
  'stores/share-read.ts new Map<Key, Promise<Value>>()': 'SharedReads itself',
  'stores/sql/d1-executor.ts #running': 'awaited by close alone',
  'stores/sql/node-sqlite/node-sqlite-executor.ts #closed': 'Node alone',
  'stores/sql/node-sqlite/node-sqlite-executor.ts #opened': 'Node alone',
  'stores/sql/node-sqlite/node-sqlite-executor.ts #rested': 'Node alone',
  'stores/stale-while-revalidate.ts #loading': 'asks sharesWork',
};

it('promises that requests share come from SharedReads, which asks whether they may', () => {
  const keepers = modules.filter(
    ({ name }) => /^(?:server|console|stores)\//.test(name) && !isTest(name) && !name.includes('/islands/'),
  );
  const kept = keepers.flatMap(({ name, text }) =>
    findKeptPromises(name, text).map((field) => `${name} ${field}`),
  );
  expect(kept.sort()).toEqual(Object.keys(KEPT_PROMISES).sort());
});

it.each([
  ['class A { #last: Promise<void> | null = null; }', ['#last']],
  ['class A { readonly reads = new Map<string, readonly Promise<number>[]>(); }', ['reads']],
  ['let starting: Promise<void> | undefined;', ['starting']],
  ['const known = new WeakMap<object, ReturnType<typeof read>>();', ['known']],
  ['function create() { const reads = new Map<string, Promise<number>>(); return reads; }', ['reads']],
  ['class A { #turn = Promise.resolve(); }', ['#turn']],
  ['class A { readonly #read: () => Promise<void>; }', []],
  ['const load = async (): Promise<number> => 1;', []],
  ['const reads = new SharedReads<string, Awaited<ReturnType<typeof read>>>();', []],
])('finds promises that outlive a call in %s', (text, found) =>
  expect(findKeptPromises('a.ts', text)).toEqual(found),
);

it('sections hold no state', () => {
  const hooks = /\buse(State|Reducer|Effect|LayoutEffect|Ref|SyncExternalStore|Context)\b/;
  expect(
    modules
      .filter(({ name, text }) => name.startsWith('sections/') && hooks.test(text))
      .map(({ name }) => name),
  ).toEqual([]);
});

it('no file is called utils, helpers, misc, common or lib', () =>
  expect(
    modules
      .map(({ name }) => name)
      .filter((name) => /(^|\/)(utils?|helpers?|misc|common|lib)(\.|\/)/.test(name)),
  ).toEqual([]));

function splitCell(cell = ''): string[] {
  return cell.trim() === '–' ? [] : cell.trim().replaceAll('`', '').split(/,\s*/);
}

it('docs/architecture.md has a row for each feature, and every path exists', () => {
  const text = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8');
  const section = /## Where is …\n([\s\S]*?)(\n## |$)/.exec(text)?.[1] ?? '';
  const rows = [...section.matchAll(/^\| (?!feature)[^|]+ \| ((?:`[^`|]+`(?:, )?)+) \|$/gm)];
  expect(rows.length).toBeGreaterThanOrEqual(25);
  const paths = rows.map(([, files = '']) => splitCell(files));
  expect(paths.filter((files) => files.length > 3)).toEqual([]);
  expect(new Set(paths.flat()).size).toBe(paths.flat().length);
  expect(paths.flat().filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});
