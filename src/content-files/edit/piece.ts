import { getLocalMinute } from '../../core/commissions/local-time.ts';
import { editYaml, splitMarkdown, type YamlEdit } from '../edit-yaml.ts';
import { findKind } from '../kinds.ts';
import { parseYaml } from '../parse-yaml.ts';
import { diffValue } from './diff-value.ts';
import { listFieldKeys } from './plan-form.ts';

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

type Values = Readonly<Record<string, unknown>>;

/** What visitors see of a piece. `time`: ms since 1970, when it appears or has appeared; null without one. */
export type PieceState = NonNullable<ReturnType<Piece['readState']>>;

/** Whether files like this one can be drafts. */
export const hasDrafts = (file: string) => (findKind(file)?.states ?? null) !== null;

/** The text of a content file, as it is or as it would be: parsed once, when something of it is first asked for. */
export class Piece {
  /** The path below the content folder. */
  readonly file: string;
  readonly text: string;
  #parts: ReturnType<typeof splitMarkdown> | undefined;
  #values: Values | null | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  /** The YAML between its lines, and the body; null for a file that is YAML as a whole. */
  get #markdown() {
    if (this.#parts === undefined) this.#parts = this.file.endsWith('.md') ? splitMarkdown(this.text) : null;
    return this.#parts;
  }

  /** The values of the YAML, which is the front matter of an article; null when it cannot be read, or is no mapping. */
  get values(): Values | null {
    if (this.#values !== undefined) return this.#values;
    const yaml = this.#markdown?.front ?? (this.file.endsWith('.md') ? undefined : this.text);
    const parsed = yaml === undefined ? null : parseYaml(yaml);
    const value = parsed === null || 'problem' in parsed ? null : (parsed.value ?? {});
    const isMapping = value !== null && typeof value === 'object' && !Array.isArray(value);
    const values: Values | null = isMapping ? Object(value) : null;
    this.#values = values;
    return values;
  }

  /** The Markdown of an article; empty for other files. */
  get body(): string {
    return this.#markdown?.body ?? '';
  }

  /** Whether it is a draft. false for a text that cannot be read: visitors may see an earlier one. */
  get isDraft(): boolean {
    return hasDrafts(this.file) && this.values?.['draft'] === true;
  }

  /** Whether it has the mark of writers for what is to come. */
  get hasGap(): boolean {
    return hasDrafts(this.file) && /\bTK\b/.test(this.text);
  }

  /** Its state; null for files that have none. */
  readState({ now, timeZone }: PlanTime) {
    const values = hasDrafts(this.file) ? this.values : null;
    if (values === null) return null;
    const at = Date.parse(String(values['publishedAt'] ?? ''));
    const time = Number.isNaN(at) ? null : at;
    const isLater = time !== null && time > now;
    const day = 86_400_000;
    return {
      state: values['draft'] === true ? 'draft' : isLater ? 'scheduled' : 'published',
      time,
      hasTime: findKind(this.file)?.states === 'time',
      proposed: getLocalMinute(isLater ? time : now + day, timeZone).replace(/T.*/, (hour) =>
        isLater ? hour : 'T09:00',
      ),
      timeZone,
    };
  }

  /** Whether visitors see it: authors have no drafts. */
  isShown(time: PlanTime): boolean {
    const state = this.readState(time);
    return state === null || state.state === 'published';
  }

  /** The piece with some values changed; undefined removes one. No byte of what stays is changed. */
  set(values: Values): Piece | PlanRefusal {
    const before = this.values ?? {};
    const after = { ...before, ...values };
    return this.edit(diffValue(before, after, (path) => listFieldKeys(this.file, after, path)));
  }

  /** The piece with its YAML edited, and an article with another body. */
  edit(edits: readonly YamlEdit[], body = this.body): Piece | PlanRefusal {
    const parts = this.#markdown;
    const edited = editYaml(parts?.front ?? this.text, edits);
    return 'problem' in edited
      ? { problem: `The file ${edited.problem}.` }
      : new Piece(this.file, parts?.join(edited.text, body) ?? edited.text);
  }
}
