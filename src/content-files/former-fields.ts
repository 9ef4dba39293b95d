import type { TextPath } from '../core/pages/claims/placeholders.ts';
import { isOfKind, type KindKey } from './kinds.ts';

/** A field that content could have before: in which files, and the way to it; `*` is every item of a list, every field of an object. */
interface FormerField {
  readonly of: readonly KindKey[];
  readonly at: readonly string[];
  /** Why it is not read, or what is written in place of it. */
  readonly reason: string;
  /** Whether it is read all the same. */
  readonly isRead?: boolean;
  /** Whether it is this value alone; left out: every one. */
  readonly is?: (value: unknown) => boolean;
}

/** Rules of words that were in `allow`. */
const FORMER_RULES =
  /^(?:paid-ranking|insider|independence|price-cut|scarcity|free-claim|green-(?:generic|offset|label|future)|ai-text)$/;
const NO_RULE = 'no rule asks for it';
const NO_CHARGES = 'calculators count what a reader enters, and no charges of a provider';
const TEXTS = ['article', 'page'] as const;
const WITH_RULES = [...TEXTS, 'product'] as const;

const FORMER: readonly FormerField[] = [
  { of: ['site'], at: ['dossier'], reason: 'there are no dossiers any more' },
  { of: ['site'], at: ['operator', 'ties'], reason: NO_RULE },
  { of: ['author'], at: ['ties'], reason: NO_RULE },
  { of: TEXTS, at: ['provenance'], reason: NO_RULE },
  { of: TEXTS, at: ['publicInterest'], reason: NO_RULE },
  {
    of: ['claims'],
    at: ['*', 'sourceSays'],
    reason: 'write `fact` in place of it: docs/recipes/claim.md',
    isRead: true,
  },
  ...['until', 'evidence', 'scheme', 'plan', 'lowest30'].map((field) => {
    return { of: WITH_RULES, at: ['proofs', '*', field], reason: NO_RULE };
  }),
  { of: ['calculators'], at: ['calculators', '*', 'base'], reason: NO_CHARGES },
  {
    of: ['calculators'],
    at: ['calculators', '*', 'fields', '*'],
    reason: NO_CHARGES,
    is: (field) => Object(field).charge !== undefined,
  },
  {
    of: WITH_RULES,
    at: ['allow', '*'],
    reason: 'its rule is gone',
    is: (value) => FORMER_RULES.test(Object(value).rule),
  },
];

/** Leaves out the fields of a file that are not read any more, and says which; the same value without any. */
export function leaveOutFormer(file: string, raw: unknown) {
  const former = FORMER.filter(({ of }) => isOfKind(file, ...of)).flatMap(
    ({ at, reason, is, isRead = false }) =>
      listPaths(raw, at)
        .filter((path) => is === undefined || is(readAt(raw, path)))
        .map((path) => ({
          path,
          isRead,
          reason: isRead ? reason : `is not read any more: ${reason}. Remove it`,
        })),
  );
  if (former.length === 0) return { value: raw, former };
  const value = structuredClone(raw);
  // The last of a list first, so that the others keep their place.
  for (const { path, isRead } of former.toReversed()) {
    if (isRead) continue;
    const around = readAt(value, path.slice(0, -1));
    if (Array.isArray(around)) around.splice(Number(path.at(-1)), 1);
    else Reflect.deleteProperty(Object(around), path.at(-1) ?? '');
  }
  return { value, former };
}

const readAt = (value: unknown, path: TextPath): unknown =>
  path.reduce<unknown>((found, part) => Object(found)[part], value);

/** The ways to what a file has there. */
function listPaths(value: unknown, [key, ...rest]: readonly string[]): readonly TextPath[] {
  if (key === undefined) return [[]];
  if (typeof value !== 'object' || value === null) return [];
  const keys = key !== '*' ? [key] : Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys
    .filter((one) => Object.hasOwn(value, one))
    .flatMap((one) => listPaths(Object(value)[one], rest).map((path) => [one, ...path]));
}
