import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import type { Saving } from '../../src/content-files/content-files.ts';
import { readContent } from '../../src/content-files/read-content.ts';

/** New text of a file in `content/` by its path there; the function gets the present text, `''` for a new file. */
export type ContentEdits = Readonly<Record<string, (text: string) => string>>;

/** Copies the content of the site in `root` into `folder` and changes the copy. */
export function copyContent(folder: string, edits: ContentEdits = {}, root = ROOT): void {
  cpSync(path.join(root, 'content'), folder, { recursive: true });
  editContent(folder, edits);
}

/** Changes files of a content folder. */
export function editContent(folder: string, edits: ContentEdits): void {
  for (const [name, edit] of Object.entries(edits)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, edit(existsSync(file) ? readFileSync(file, 'utf8') : ''));
  }
}

/** Edits that point the links of every partner of the site in `root` to `origin` and leave their paths. */
export function leadPartnersTo(origin: string, root = ROOT): ContentEdits {
  const files = readdirSync(path.join(root, 'content/partners')).filter((name) => name.endsWith('.yaml'));
  return Object.fromEntries(
    files.map((name) => [`partners/${name}`, (text: string) => leadPartnerTo(text, origin)]),
  );
}

function leadPartnerTo(text: string, origin: string): string {
  const partner = parseDocument(text);
  const destinations = partner.get('destinations') as { toJSON(): Record<string, string> };
  partner.set('site', `${origin}/`);
  partner.set('hosts', [new URL(origin).host]);
  for (const [page, address] of Object.entries(destinations.toJSON())) {
    const { pathname, search } = new URL(address);
    partner.setIn(['destinations', page], `${origin}${pathname}${search}`);
  }
  return partner.toString();
}

/** What files are saved with on a site that shows the content that ships. */
export const readSaving = (): Saving => ({
  content: readContent(path.join(ROOT, 'content')),
  siteUrl: '',
  now: Date.UTC(2026, 0, 1),
  timeZone: 'UTC',
  hasArticleFiles: true,
});
