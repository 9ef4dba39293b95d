import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { ContentJournal, writeParts } from '../content-files/journal.ts';
import { parseYaml } from '../content-files/parse-yaml.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { MoveInError } from './former-item.ts';
import { type FormerSettings, givenSettingsSchema, parseFormerSettings } from './former-settings.ts';
import { readPluginLinks } from './link-plugins.ts';
import { formatDecisions, type PartnerDecision, parseDecisions, partnerDecisionSchema } from './merchants.ts';
import { listReport } from './move-in-report.ts';
import { type PreparedMoveIn, prepareMoveIn } from './move-site.ts';
import { openWxr } from './wordpress-export.ts';

const previewSchema = z.strictObject({
  /** Tells the export from another one that replaces it. */
  upload: z.string(),
  file: z.string(),
  posts: z.number(),
  pages: z.number(),
  drafts: z.number(),
  redirects: z.number(),
  changed: z.number(),
  lost: z.number(),
  unknown: z.number(),
  /** The first of what is lost or not understood. */
  examples: z.array(z.string()),
  refusals: z.array(z.string()),
  groups: z.array(
    z.strictObject({ proposal: partnerDecisionSchema, links: z.number(), example: z.string() }),
  ),
});
/** What an uploaded export would bring. */
export type MoveInPreview = z.infer<typeof previewSchema>;

const MAX_EXAMPLES = 100;

/** The import of an uploaded export of WordPress into a content folder: one upload of each operator, until it is decided. */
export class MoveIn {
  readonly #contentDir: string;
  readonly #journal: ContentJournal;

  /** `journal` writes into the content folder. */
  constructor(contentDir: string, journal = new ContentJournal(contentDir)) {
    this.#contentDir = contentDir;
    this.#journal = journal;
  }

  /** What the upload of an operator would bring; null without one. */
  readPreview(operator: string): MoveInPreview | null {
    const file = path.join(this.#findFolder(operator), 'preview.json');
    const parsed = existsSync(file) ? previewSchema.safeParse(parseJson(readFileSync(file, 'utf8'))) : null;
    return parsed?.data ?? null;
  }

  /**
   * Reads an export and stores what it would bring. `links`: CSV or SQL of a link plugin; `given`: what the operator says of
   * the former site. Rejects with `MoveInError`, and stores nothing, when it cannot be read.
   */
  async upload(
    operator: string,
    name: string,
    bytes: Uint8Array,
    links: { readonly name: string; readonly bytes: Uint8Array } | null,
    given: z.infer<typeof givenSettingsSchema>,
  ) {
    const parsed = parseFormerSettings(given);
    if ('problem' in parsed) throw new MoveInError(parsed.problem);
    this.discard(operator);
    const folder = this.#findFolder(operator);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(given));
    writeFileSync(path.join(folder, 'export.xml'), bytes);
    if (links !== null)
      writeFileSync(path.join(folder, /\.sql$/i.test(links.name) ? 'links.sql' : 'links.csv'), links.bytes);
    try {
      const prepared = await this.#prepare(folder, this.#readDecisions());
      try {
        const preview = buildPreview(randomUUID(), name, prepared);
        writeFileSync(path.join(folder, 'preview.json'), JSON.stringify(preview));
        this.#writeReport(prepared);
      } finally {
        prepared.discard();
      }
    } catch (error) {
      this.discard(operator);
      throw error;
    }
  }

  /**
   * Writes everything of the upload that an operator has seen, with the decisions about its partners. Rejects with
   * `MoveInError` when nothing was written.
   */
  async commit(
    { operator, upload }: { readonly operator: string; readonly upload: string },
    decisions: readonly PartnerDecision[],
  ): Promise<PreparedMoveIn['counts']> {
    if (this.readPreview(operator)?.upload !== upload)
      throw new MoveInError('The upload was replaced, imported or discarded meanwhile: look at its preview.');
    const prepared = await this.#prepare(this.#findFolder(operator), decisions);
    try {
      prepared.commit();
    } finally {
      prepared.discard();
    }
    writeFileSync(this.#decisionFile, formatDecisions(prepared.groups, decisions));
    this.#writeReport(prepared);
    this.discard(operator);
    return prepared.counts;
  }

  /** Removes the upload of an operator. */
  discard(operator: string): void {
    rmSync(this.#findFolder(operator), { recursive: true, force: true });
  }

  #findFolder(operator: string): string {
    const name = createHash('sha256').update(operator).digest('hex').slice(0, 16);
    return path.join(this.#contentDir, '.import', 'upload', name);
  }

  #writeReport(prepared: PreparedMoveIn): void {
    writeParts(path.join(this.#contentDir, '.import', 'report.txt'), listReport(prepared));
  }

  get #decisionFile(): string {
    return path.join(this.#contentDir, '.import', 'partners.yaml');
  }

  #readDecisions(): readonly PartnerDecision[] {
    if (!existsSync(this.#decisionFile)) return [];
    const read = parseYaml(readFileSync(this.#decisionFile, 'utf8'));
    const parsed = 'value' in read ? parseDecisions(read.value) : { problems: [read.problem] };
    return 'decisions' in parsed ? parsed.decisions : [];
  }

  #readSettings(folder: string): FormerSettings {
    const given = givenSettingsSchema.safeParse(
      parseJson(readFileSync(path.join(folder, 'settings.json'), 'utf8')),
    );
    const parsed = given.success ? parseFormerSettings(given.data) : { problem: 'The upload is damaged.' };
    if ('problem' in parsed) throw new MoveInError(parsed.problem);
    return parsed.settings;
  }

  #prepare(folder: string, decisions: readonly PartnerDecision[]): Promise<PreparedMoveIn> {
    const links = ['links.csv', 'links.sql']
      .map((name) => path.join(folder, name))
      .filter((file) => existsSync(file));
    return prepareMoveIn({
      site: openWxr(path.join(folder, 'export.xml')),
      name: 'wordpress',
      contentDir: this.#contentDir,
      journal: this.#journal,
      links: links.flatMap(readPluginLinks),
      decisions,
      settings: this.#readSettings(folder),
      media: null,
    });
  }
}

function buildPreview(
  upload: string,
  file: string,
  { counts, notes, groups, refusals }: PreparedMoveIn,
): MoveInPreview {
  const count = (kind: string) => notes.filter((note) => note.kind === kind).length;
  const open = notes.filter(({ kind }) => kind === 'lost' || kind === 'not understood');
  return {
    upload,
    file,
    posts: counts.posts,
    pages: counts.pages,
    drafts: counts.drafts,
    redirects: counts.redirects,
    changed: count('changed'),
    lost: count('lost'),
    unknown: count('not understood'),
    examples: open.slice(0, MAX_EXAMPLES).map(({ place, text }) => `${place}: ${text}`),
    refusals: [...refusals],
    groups: groups.map(({ proposal, targets }) => ({
      proposal,
      links: [...targets.values()].reduce((sum, uses) => sum + uses, 0),
      example: [...targets.keys()][0] ?? '',
    })),
  };
}
