import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { ContentJournal } from '../content-files/journal.ts';
import { parseYaml } from '../content-files/parse-yaml.ts';
import type { SendLinkRequest } from '../sources/links/link-request.ts';
import { createLinkRequests } from '../sources/links/node-link.ts';
import { createFolder, PRIVATE_FILE, remove, writeWhole } from '../stores/disk.ts';
import { decodeText } from './decode-text.ts';
import { type FormerSite, MoveInError } from './former-item.ts';
import { type FormerSystem, type givenSettingsSchema, parseFormerSettings } from './former-settings.ts';
import { openGhost } from './ghost-export.ts';
import { parsePluginLinks } from './link-plugins.ts';
import { openMarkdown } from './markdown-folder.ts';
import { openMedium } from './medium-export.ts';
import { formatDecisions, type PartnerDecision, parseDecisions } from './merchants.ts';
import { buildPreview, listReport, type MoveInPreview } from './move-in-report.ts';
import { type PreparedMoveIn, prepareMoveIn } from './move-site.ts';
import type { NamelessProduct } from './product-boxes.ts';
import { openSubstack } from './substack-export.ts';
import { openWxr } from './wordpress-export.ts';

/** Opens the export of a system by its path. Throws, and rejects with, `MoveInError`. */
export async function openFormerSite(system: FormerSystem, file: string): Promise<FormerSite> {
  if (system === 'substack') return openSubstack(file);
  if (system === 'medium') return openMedium(file);
  if (system === 'markdown') return openMarkdown(file);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new MoveInError(`There is no file ${file}.`);
  return system === 'ghost'
    ? openGhost(decodeText(path.basename(file), readFileSync(file)), path.basename(file))
    : openWxr(file);
}

/** What an operator has uploaded: the export of a system, CSV or SQL of a link plugin, and what was said of the site. */
export interface UploadedSite {
  /** Paths of files. */
  readonly export: string;
  readonly links: string | null;
  readonly given: z.input<typeof givenSettingsSchema>;
  /** Whether the sample that a site ships with stays. */
  readonly keepsSample: boolean;
  /** Whether the images are downloaded from the former site. */
  readonly copiesImages?: boolean;
}

/** Moves uploaded exports into a content folder. */
export class MoveIn {
  readonly #contentDir: string;
  readonly #journal: ContentJournal;
  readonly #send: SendLinkRequest;
  #isRunning = false;

  /** `journal` writes into the content folder, `send` requests images of the former site. */
  constructor(
    contentDir: string,
    journal = new ContentJournal(contentDir),
    send: SendLinkRequest = createLinkRequests(new Map()),
  ) {
    this.#contentDir = contentDir;
    this.#journal = journal;
    this.#send = send;
  }

  /** Reads what an export would bring, and changes nothing. Rejects with `MoveInError` when it cannot be read. */
  async preview(uploaded: UploadedSite): Promise<MoveInPreview> {
    const names = readProductNames(this.#contentDir);
    const prepared = await this.#prepare(uploaded, this.#readDecisions(), names);
    try {
      this.#writeReport(prepared);
      return buildPreview(prepared);
    } finally {
      prepared.discard();
    }
  }

  /** Writes everything, with the decisions about its partners. Rejects with `MoveInError` when nothing was written. */
  async commit(
    uploaded: UploadedSite,
    decisions: readonly PartnerDecision[],
    names: ReadonlyMap<string, string> = new Map(),
  ): Promise<PreparedMoveIn['counts']> {
    if (this.#isRunning)
      throw new MoveInError('Another import is being written. Nothing was changed: try again in a minute.');
    this.#isRunning = true;
    try {
      const known = readProductNames(this.#contentDir);
      const prepared = await this.#prepare(uploaded, decisions, new Map([...known, ...names]));
      try {
        prepared.commit();
      } finally {
        prepared.discard();
      }
      this.#writeRecords(prepared, decisions);
      return prepared.counts;
    } finally {
      this.#isRunning = false;
    }
  }

  #writeRecords(prepared: PreparedMoveIn, decisions: readonly PartnerDecision[]): void {
    try {
      writeWhole(this.#decisionFile, [formatDecisions(prepared.groups, decisions)]);
      writeProductNames(this.#contentDir, prepared.nameless);
      this.#writeReport(prepared);
    } catch (error) {
      const reason =
        'Everything was imported, but its report could not be written. Free some space and import again.';
      throw new MoveInError(reason, { cause: error });
    }
  }

  #writeReport(prepared: PreparedMoveIn): void {
    createFolder(path.join(this.#contentDir, '.import'));
    writeWhole(
      path.join(this.#contentDir, '.import', 'report.txt'),
      listReport(prepared),
      false,
      undefined,
      PRIVATE_FILE,
    );
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

  async #prepare(
    { export: file, links, given, keepsSample, copiesImages }: UploadedSite,
    decisions: readonly PartnerDecision[],
    names: ReadonlyMap<string, string>,
  ): Promise<PreparedMoveIn> {
    const parsed = parseFormerSettings(given);
    if ('problem' in parsed) throw new MoveInError(parsed.problem);
    // Earlier versions stored uploads here.
    remove(path.join(this.#contentDir, '.import', 'upload'));
    const { system = 'wordpress' } = given;
    return prepareMoveIn({
      site: await openFormerSite(system, file),
      name: system,
      keepsSample,
      day: new Date().toISOString().slice(0, 10),
      contentDir: this.#contentDir,
      journal: this.#journal,
      links: links === null ? [] : parsePluginLinks(path.basename(links), readFileSync(links)),
      decisions,
      names,
      settings: parsed.settings,
      media: null,
      download: copiesImages ? { hosts: [], send: this.#send, userAgent: 'Signpost import' } : undefined,
    });
  }
}

const FILE = path.join('.import', 'products.yaml');
const namesSchema = z.record(z.string(), z.string().max(80).nullable());

/** Reads the names that the operator has given to products, by number. Throws `MoveInError` when the file is damaged. */
export function readProductNames(contentDir: string): ReadonlyMap<string, string> {
  const file = path.join(contentDir, FILE);
  if (!existsSync(file)) return new Map();
  const read = parseYaml(readFileSync(file, 'utf8'));
  const parsed = 'value' in read ? namesSchema.safeParse(read.value ?? {}) : null;
  if (!parsed?.success)
    throw new MoveInError(
      `${FILE} is damaged: it has a line NUMBER: NAME for each product, of at most 80 characters.`,
    );
  return new Map(
    Object.entries(parsed.data).flatMap(([number, name]) => (name?.trim() ? [[number, name.trim()]] : [])),
  );
}

/** Writes the products that need a name, each with the one that was given, for the operator to fill in. */
export function writeProductNames(contentDir: string, nameless: readonly NamelessProduct[]): void {
  const file = path.join(contentDir, FILE);
  if (nameless.length === 0 && !existsSync(file)) return;
  createFolder(path.dirname(file));
  const names = Object.fromEntries(nameless.map(({ number, name }) => [number, name]));
  const head =
    '# Products of boxes whose name neither the export nor the table of the plugin has. Write each name between the quotes,\n' +
    '# then run the import again: the box shows the product, and is a link until then.\n';
  const list = stringify(names, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' });
  writeWhole(file, [head, list]);
}
