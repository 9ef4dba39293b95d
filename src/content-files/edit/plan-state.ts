import { formatInstant, getLocalDay, getLocalMinute } from '../../core/commissions/local-time.ts';
import { editYaml, splitMarkdown, type YamlEdit } from '../edit-yaml.ts';
import { parseYaml } from '../parse-yaml.ts';
import { findFormSchema } from './plan-form.ts';

/** Why nothing is changed. */
export interface PlanRefusal {
  /** A sentence. */
  readonly problem: string;
}

/** When a plan is made. */
export interface PlanTime {
  /** ms since 1970. */
  readonly now: number;
  /** That of the site. */
  readonly timeZone: string;
}

/** Folders whose files can be drafts, which visitors do not see. */
const WITH_DRAFTS = /^(?:pages|articles|products)\//;

/** Whether files like this one can be drafts. */
export const hasDrafts = (file: string) => WITH_DRAFTS.test(file);

/** The YAML of a content file as values; null when it cannot be read. */
export function readValues(file: string, text: string): Readonly<Record<string, unknown>> | null {
  const yaml = file.endsWith('.md') ? splitMarkdown(text)?.front : text;
  const parsed = yaml === undefined ? null : parseYaml(yaml);
  return parsed === null || 'problem' in parsed ? null : Object(parsed.value);
}

/** Whether the text of a content file is a draft. false for a text that cannot be read: visitors may see an earlier one. */
export const isDraft = (file: string, text: string): boolean =>
  hasDrafts(file) && readValues(file, text)?.['draft'] === true;

/** Edits the YAML of a content file, which is the front matter of an article. */
export function editFront(
  file: string,
  text: string,
  edits: readonly YamlEdit[],
): ReturnType<typeof editYaml> {
  const parts = file.endsWith('.md') ? splitMarkdown(text) : null;
  const edited = editYaml(parts?.front ?? text, edits);
  return 'problem' in edited || parts === null ? edited : { text: parts.join(edited.text, parts.body) };
}

/** Whether an article has the mark of writers for what is to come. */
export const hasGap = (file: string, text: string) => file.startsWith('articles/') && /\bTK\b/.test(text);

/** Adds what the fields of an update say to an article: the day of the last change, and a line of its log. */
export function noteUpdate(
  file: string,
  text: string,
  { 'update-date': dated, 'update-text': words = '' }: Readonly<Record<string, string>>,
  { now, timeZone }: PlanTime,
): { readonly text: string } | PlanRefusal {
  const line = words.trim();
  if (dated !== 'yes' && line === '') return { text };
  const date = getLocalDay(now, timeZone);
  const { updates } = readValues(file, text) ?? {};
  const count = Array.isArray(updates) ? updates.length : 0;
  const edited = editFront(file, text, [
    ...(dated === 'yes'
      ? [{ kind: 'set', path: ['updatedAt'], value: date, order: listOrder(file) } as const]
      : []),
    ...(line === ''
      ? []
      : count > 0
        ? [{ kind: 'insert', path: ['updates', count], value: { date, text: line } } as const]
        : [
            {
              kind: 'set',
              path: ['updates'],
              value: [{ date, text: line }],
              order: listOrder(file),
            } as const,
          ]),
  ]);
  return 'problem' in edited ? { problem: `The file ${edited.problem}.` } : edited;
}

/** The edit that makes a file a draft. */
export const buildDraftEdit = (file: string): YamlEdit => ({
  kind: 'set',
  path: ['draft'],
  value: true,
  order: listOrder(file),
});

const listOrder = (file: string) => Object.keys(findFormSchema(file)?.properties ?? {});

/** Whether, when and where visitors see a piece. */
const STATE_FIELDS = ['draft', 'publishedAt', 'unpublishAt', 'address'];

/** Gives an earlier text of a piece the state and the address that it has now. Texts that cannot be read stay as they are. */
export function keepState(
  file: string,
  text: string,
  current: string,
): { readonly text: string } | PlanRefusal {
  const [values, now] = [readValues(file, text), readValues(file, current)];
  if (!hasDrafts(file) || values === null || now === null) return { text };
  const edits = STATE_FIELDS.filter((key) => String(values[key]) !== String(now[key])).map(
    (key): YamlEdit =>
      now[key] === undefined
        ? { kind: 'remove', path: [key] }
        : { kind: 'set', path: [key], value: now[key], order: listOrder(file) },
  );
  // An article cannot have changed before it was published.
  if (Date.parse(String(values['updatedAt'])) < Date.parse(String(now['publishedAt'])))
    edits.push({ kind: 'remove', path: ['updatedAt'] });
  const edited = editFront(file, text, edits);
  return 'problem' in edited ? { problem: `The file ${edited.problem}.` } : edited;
}

/** What visitors see of a piece. `time`: ms since 1970, when it appears or has appeared; null without one. */
export type PieceState = NonNullable<ReturnType<typeof readPieceState>>;

/** Reads the state of a text; null for files that have none. */
export function readPieceState(file: string, text: string, { now, timeZone }: PlanTime) {
  const values = hasDrafts(file) ? readValues(file, text) : null;
  if (values === null) return null;
  const at = Date.parse(String(values['publishedAt'] ?? ''));
  const time = Number.isNaN(at) ? null : at;
  const isLater = time !== null && time > now;
  const day = 86_400_000;
  return {
    state: values['draft'] === true ? 'draft' : isLater ? 'scheduled' : 'published',
    time,
    hasTime: !file.startsWith('products/'),
    proposed: getLocalMinute(isLater ? time : now + day, timeZone).replace(/T.*/, (hour) =>
      isLater ? hour : 'T09:00',
    ),
    timeZone,
  };
}

/** Whether visitors see a piece: authors have no drafts. */
export function isShown(file: string, text: string, time: PlanTime): boolean {
  const state = readPieceState(file, text, time);
  return state === null || state.state === 'published';
}

/** What a piece is to become. `at`: a time of the site's time zone, `2026-03-12T09:00`. */
export type StateWish =
  | { readonly kind: 'publish'; readonly keepsDate: boolean }
  | { readonly kind: 'schedule'; readonly at: string }
  | { readonly kind: 'take-down' };

/** Changes the state of a text. A draft that is published gets the day of its publication, unless it keeps its own. */
export function planState(
  file: string,
  text: string,
  wish: StateWish,
  { now, timeZone }: PlanTime,
): { readonly text: string; readonly message: string } | PlanRefusal {
  const values = readValues(file, text);
  if (values === null) return { problem: 'The text cannot be read.' };
  const finish = (message: string, edits: readonly YamlEdit[]) => {
    const edited = editFront(file, text, edits);
    return 'problem' in edited ? { problem: `The file ${edited.problem}.` } : { text: edited.text, message };
  };
  if (wish.kind === 'take-down')
    return finish('Taken down: it is a draft now, and visitors do not see it any more.', [
      buildDraftEdit(file),
    ]);
  const isArticle = file.endsWith('.md');
  const shown: readonly YamlEdit[] =
    values['draft'] === undefined ? [] : [{ kind: 'remove', path: ['draft'] }];
  const before = Date.parse(String(values['publishedAt'] ?? ''));
  const setTime = (instant: string): readonly YamlEdit[] => {
    const updated = Date.parse(String(values['updatedAt'] ?? ''));
    // An article cannot have changed before it was published.
    const isEarlier = isArticle && updated < Date.parse(instant);
    return [
      { kind: 'set', path: ['publishedAt'], value: instant, order: listOrder(file) },
      ...(isEarlier ? [{ kind: 'remove', path: ['updatedAt'] } as const] : []),
    ];
  };
  if (wish.kind === 'schedule') {
    const instant = formatInstant(wish.at, timeZone);
    if (instant === null)
      return { problem: `There is no such time in ${timeZone}: choose a day and a time.` };
    if (Date.parse(instant) <= now)
      return { problem: 'The time has passed: choose a later one, or publish now.' };
    return finish(`Scheduled for ${wish.at.replace('T', ', ')} (${timeZone}).`, [
      ...shown,
      ...setTime(instant),
    ]);
  }
  const isKept = wish.keepsDate && before <= now;
  const isDated = isArticle && !isKept && (values['draft'] === true || before > now);
  const dated = isDated ? setTime(new Date(now).toISOString().slice(0, 10)) : [];
  const undated: readonly YamlEdit[] =
    !isArticle && before > now ? [{ kind: 'remove', path: ['publishedAt'] }] : [];
  return finish('Published. Visitors see it now.', [...shown, ...dated, ...undated]);
}
