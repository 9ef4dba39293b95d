import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { ContentJournal, writeParts } from '../content-files/journal.ts';
import { parseYaml } from '../content-files/parse-yaml.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { ImportError } from './former-item.ts';
import { type FormerSettings, givenSettingsSchema, parseFormerSettings } from './former-settings.ts';
import { readPluginLinks } from './link-plugins.ts';
import { formatDecisions, type PartnerDecision, parseDecisions, partnerDecisionSchema } from './merchants.ts';
import { listReport } from './move-in-report.ts';
import { type PreparedImport, prepareImport } from './move-site.ts';
import { openWxr } from './wordpress-export.ts';

const previewSchema = z.strictObject({
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

/** The import of an uploaded export of WordPress into a content folder: one upload at a time, until it is decided. */
export class MoveIn {
  readonly #folder: string;
  readonly #contentDir: string;
  readonly #journal: ContentJournal;

  /** `journal` writes into the content folder. */
  constructor(contentDir: string, journal = new ContentJournal(contentDir)) {
    this.#contentDir = contentDir;
    this.#journal = journal;
    this.#folder = path.join(contentDir, '.import', 'upload');
  }

  /** What the upload would bring; null without one. */
  readPreview(): MoveInPreview | null {
    const file = path.join(this.#folder, 'preview.json');
    const parsed = existsSync(file) ? previewSchema.safeParse(parseJson(readFileSync(file, 'utf8'))) : null;
    return parsed?.data ?? null;
  }

  /**
   * Reads an export and stores what it would bring. `links`: CSV or SQL of a link plugin; `given`: what the operator says of
   * the former site. Rejects with `ImportError`, and stores nothing, when it cannot be read.
   */
  async upload(
    name: string,
    bytes: Uint8Array,
    links: { readonly name: string; readonly bytes: Uint8Array } | null,
    given: z.infer<typeof givenSettingsSchema>,
  ) {
    const parsed = parseFormerSettings(given);
    if ('problem' in parsed) throw new ImportError(parsed.problem);
    this.discard();
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(path.join(this.#folder, 'settings.json'), JSON.stringify(given));
    writeFileSync(path.join(this.#folder, 'export.xml'), bytes);
    if (links !== null)
      writeFileSync(
        path.join(this.#folder, /\.sql$/i.test(links.name) ? 'links.sql' : 'links.csv'),
        links.bytes,
      );
    try {
      const prepared = await this.#prepare(this.#readDecisions());
      try {
        writeFileSync(path.join(this.#folder, 'preview.json'), JSON.stringify(buildPreview(name, prepared)));
        this.#writeReport(prepared);
      } finally {
        prepared.discard();
      }
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** Writes everything with the decisions of the operator. Rejects with `ImportError` when nothing was written. */
  async commit(decisions: readonly PartnerDecision[]): Promise<PreparedImport['counts']> {
    if (this.readPreview() === null) throw new ImportError('The upload was imported or discarded meanwhile.');
    const prepared = await this.#prepare(decisions);
    try {
      prepared.commit();
    } finally {
      prepared.discard();
    }
    writeFileSync(this.#decisionFile, formatDecisions(prepared.groups, decisions));
    this.#writeReport(prepared);
    this.discard();
    return prepared.counts;
  }

  discard(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #writeReport(prepared: PreparedImport): void {
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

  #readSettings(): FormerSettings {
    const given = givenSettingsSchema.safeParse(
      parseJson(readFileSync(path.join(this.#folder, 'settings.json'), 'utf8')),
    );
    const parsed = given.success ? parseFormerSettings(given.data) : { problem: 'The upload is damaged.' };
    if ('problem' in parsed) throw new ImportError(parsed.problem);
    return parsed.settings;
  }

  #prepare(decisions: readonly PartnerDecision[]): Promise<PreparedImport> {
    const links = ['links.csv', 'links.sql']
      .map((name) => path.join(this.#folder, name))
      .filter((file) => existsSync(file));
    return prepareImport({
      site: openWxr(path.join(this.#folder, 'export.xml')),
      name: 'wordpress',
      contentDir: this.#contentDir,
      journal: this.#journal,
      links: links.flatMap(readPluginLinks),
      decisions,
      settings: this.#readSettings(),
      media: null,
    });
  }
}

function buildPreview(file: string, { counts, notes, groups, refusals }: PreparedImport): MoveInPreview {
  const count = (kind: string) => notes.filter((note) => note.kind === kind).length;
  const open = notes.filter(({ kind }) => kind === 'lost' || kind === 'not understood');
  return {
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
