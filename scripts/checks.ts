/** One program of the test run. Without a report it counts as a single check that passes with exit code 0. */
export interface Check {
  readonly name: string;
  readonly title: string;
  readonly command: readonly [string, ...string[]];
  /** Whose JSON report says how many tests passed. */
  readonly report?: 'vitest' | 'playwright';
  /** Runs alone: what it writes is shown at once, and further arguments of `npm test -- name …` reach it. */
  readonly alone?: true;
}

const vitest = (project: string): readonly [string, ...string[]] => ['vitest', 'run', `--project=${project}`];

/** Every check by name. */
export const CHECKS = {
  sync: { name: 'sync', title: 'Route types', command: ['astro', 'sync'] },
  types: { name: 'types', title: 'Types of TypeScript', command: ['tsc', '--noEmit'] },
  pages: {
    name: 'pages',
    title: 'Types of pages',
    command: [
      'astro',
      'check',
      '--noSync',
      '--minimumSeverity',
      'warning',
      '--minimumFailingSeverity',
      'warning',
    ],
  },
  lint: { name: 'lint', title: 'Lint and format', command: ['biome', 'check', '.'] },
  unused: { name: 'unused', title: 'Unused code', command: ['knip'] },
  unit: { name: 'unit', title: 'Unit and contract tests', command: vitest('unit'), report: 'vitest' },
  build: { name: 'build', title: 'Build', command: ['node', 'scripts/build.ts'] },
  fault: { name: 'fault', title: 'Fault tests', command: vitest('fault'), report: 'vitest', alone: true },
  browser: {
    name: 'browser',
    title: 'Browser tests',
    command: ['playwright', 'test'],
    report: 'playwright',
    alone: true,
  },
} as const satisfies Record<string, Check>;

/** Which checks each word of `npm test -- word` stands for. */
export const PARTS: ReadonlyMap<string, readonly Check[]> = new Map<string, readonly Check[]>([
  ['static', [CHECKS.sync, CHECKS.types, CHECKS.pages, CHECKS.lint, CHECKS.unused]],
  ['unit', [CHECKS.unit]],
  ['build', [CHECKS.build]],
  ['fault', [CHECKS.fault]],
  ['browser', [CHECKS.browser]],
]);
