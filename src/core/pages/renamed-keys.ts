import type { TextPath } from './figures.ts';

/** What a kind of content file used to write, and what it writes now. */
export interface Renames {
  /** New keys by old key; `columns.answer` is the key `answer` of a mapping in `columns` alone. */
  readonly keys: Readonly<Record<string, string>>;
  /** New values by `key: old value`. */
  readonly values?: Readonly<Record<string, string>>;
  /** New prefixes of link targets in texts, by old prefix. */
  readonly links?: Readonly<Record<string, string>>;
}

/** The renames of `content/pages/*.yaml`. */
export const PAGE_RENAMES: Renames = {
  keys: {
    calls: 'cta',
    go: 'partnerLink',
    look: 'variant',
    ground: 'background',
    space: 'spacing',
    drawing: 'illustration',
    'columns.answer': 'recommended',
    'sides.answer': 'recommended',
    not: 'notFor',
    notTitle: 'notForTitle',
    against: 'comparison',
  },
  values: {
    'variant: answer': 'recommended',
    'variant: ink': 'default',
    'kind: drawing': 'illustration',
    'type: trial-calculator': 'savings-calculator',
    'type: roi-calculator': 'savings-calculator',
  },
  links: { 'go:': 'partner:' },
};

/** The renames of `content/site.yaml`. */
export const SITE_RENAMES: Renames = {
  keys: {
    'home.ways': 'entryPoints',
    'bill.stack': 'stackLabel',
    'bill.single': 'planLabel',
    'bill.rest': 'savingsLabel',
    'bill.year': 'yearLabel',
    'promoted.page': 'partnerLink',
    'promoted.first': 'alternative',
    'other.page': 'partnerLink',
    'other.first': 'alternative',
  },
};

/** The renames of `content/assessment.yaml`. */
export const ASSESSMENT_RENAMES: Renames = { keys: { 'outcomes.link': 'partnerLink' } };

/**
 * Replaces old keys, values and links of a parsed file, so that the schema checks the rest of it, and reports
 * each of them with its place: "`calls` is now `cta`".
 */
export function applyRenames(
  raw: unknown,
  renames: Renames,
  report: (path: TextPath, reason: string) => void,
): unknown {
  const rename = (path: TextPath, from: string, to: string) => {
    report(path, `\`${from}\` is now \`${to}\``);
    return to;
  };
  const walk = (value: unknown, path: TextPath, parent: string): unknown => {
    if (typeof value === 'string') return walkText(value, path, parent);
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index], parent));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, child]) => {
      const at = [...path, key];
      const renamed = find(renames.keys, key) ?? find(renames.keys, `${parent}.${key}`);
      const name = renamed === undefined ? key : rename(at, key, renamed);
      return [name, walk(child, at, name)];
    });
    return Object.fromEntries(entries);
  };
  const walkText = (text: string, path: TextPath, key: string): string => {
    const renamed = find(renames.values ?? {}, `${key}: ${text}`);
    if (renamed !== undefined) return rename(path, text, renamed);
    for (const [from, to] of Object.entries(renames.links ?? {})) {
      if (text.includes(`](${from}`)) rename(path, `[words](${from}…)`, `[words](${to}…)`);
      text = text.replaceAll(`](${from}`, `](${to}`);
    }
    return text;
  };
  return walk(raw, [], '');
}

/** Files have any keys, also those that every object inherits. */
const find = (names: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(names, name) ? names[name] : undefined;
