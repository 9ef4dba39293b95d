import type { z } from 'zod';
import { JournalError } from '../../content-files/journal.ts';
import { explainWriteFailure } from '../../content-files/write-whole.ts';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import { MoveInError } from '../../move-in/former-item.ts';
import { nameDecision } from '../../move-in/merchants.ts';
import { nameProductField } from '../../move-in/product-boxes.ts';
import type { moveInActions } from '../actions.ts';
import type { ActionOutcome, ConsoleSite } from '../console-site.ts';
import { fail, finish, openUploads } from './run-imports.ts';
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_MB, readFile } from './uploads.ts';

const ANCHOR = '#move-in';

type Fields<Name extends keyof typeof moveInActions.actions> = z.output<
  (typeof moveInActions.actions)[Name]['fields']
>;

/** Reads an uploaded export, and stores it with its preview. */
export async function uploadSite(
  site: ConsoleSite,
  { file, links, ...given }: Fields<'upload-site'>,
  operator: string,
): Promise<ActionOutcome> {
  const { moveIn } = site;
  if (moveIn === null) return fail('This site has no content folder to import into.');
  if ((file?.size ?? 0) + (links?.size ?? 0) > MAX_UPLOAD_BYTES)
    return fail(
      `The files are larger than ${MAX_UPLOAD_MB} MB, so that nothing was uploaded. ` +
        `Run on the server: npm run import -- ${given.system} FILE`,
    );
  const read = await readFile(file, 'an export');
  if ('problem' in read) return fail(read.problem);
  const plugin = await readFile(links, 'a file of links');
  return attempt(async () => {
    const uploads = openUploads(site);
    const known = 'problem' in plugin ? null : plugin;
    const last = await uploads.findSite(operator);
    if (last !== null) await uploads.remove(last.id);
    const preview = await moveIn.preview({ export: read, links: known, given, keepsSample: false });
    const bytes = Buffer.concat([read.bytes, known?.bytes ?? new Uint8Array()]);
    const about = { given, preview, exportBytes: read.bytes.length, links: known?.name ?? null };
    await uploads.receive(
      { id: site.newId(), operator, kind: 'site', site: about },
      { name: read.name, bytes },
    );
    return finish('The export was read. Nothing is imported yet.', ANCHOR);
  });
}

/** Moves the uploaded site in that the operator has seen, with the partners that the form confirms. */
export async function commitSite(
  site: ConsoleSite,
  { upload: id, hash, sample, ...fields }: Fields<'commit-site'>,
  operator: string,
): Promise<ActionOutcome> {
  const { moveIn } = site;
  const uploads = openUploads(site);
  const upload = await uploads.get(id, operator);
  const about = upload?.site ?? null;
  if (moveIn === null || upload === null || about === null || upload.hash !== hash)
    return fail('The upload was replaced, imported or discarded meanwhile: look at its preview.');
  const { networks } = site.content.read();
  const decisions = about.preview.groups.map(({ proposal }) => {
    const get = (field: Parameters<typeof nameDecision>[0]) =>
      fields[nameDecision(field, proposal.links)] ?? '';
    const network = networks.has(get('network')) ? get('network') : proposal.network;
    const { affiliate } = proposal;
    return {
      links: proposal.links,
      confirm: get('confirm') === 'yes',
      key: get('key'),
      name: get('name'),
      network,
      affiliate: affiliate && { ...affiliate, parameter: get('parameter') },
      subId: get('subId') || null,
    };
  });
  const invalid = decisions.find(
    ({ confirm, key, name }) => confirm && (!/^[a-z0-9-]{1,40}$/.test(key) || name === ''),
  );
  if (invalid !== undefined)
    return fail(`${invalid.links}: a partner needs a name, and a key of a-z, 0-9 and -.`);
  return attempt(async () => {
    const bytes = await uploads.readFile(upload);
    const links = about.links && { name: about.links, bytes: bytes.subarray(about.exportBytes) };
    const file = { name: upload.name, bytes: bytes.subarray(0, about.exportBytes) };
    const names = about.preview.nameless.map(
      ({ number }) => [number, (fields[nameProductField(number)] ?? '').trim()] as const,
    );
    const uploaded = { export: file, links: links || null, given: about.given };
    const moved = await moveIn.commit(
      { ...uploaded, keepsSample: sample === 'keep' },
      decisions,
      new Map(names),
    );
    await uploads.remove(id);
    if (about.preview.sample > 0 && sample !== 'keep') {
      // What shipped is no loss that somebody has to accept.
      await site.content.applyEdits(['site.yaml']);
      await site.content.articles.acceptDeletions();
    }
    const { posts, pages, redirects } = moved;
    return finish(`${posts + pages} articles and ${redirects} redirects were imported.`, ANCHOR);
  });
}

/** Removes the uploaded export. */
export async function discardSite(site: ConsoleSite, operator: string): Promise<ActionOutcome> {
  const uploads = openUploads(site);
  const upload = await uploads.findSite(operator);
  if (upload !== null) await uploads.remove(upload.id);
  return finish('The upload was discarded. Nothing was imported.', ANCHOR);
}

async function attempt(run: () => Promise<ActionOutcome>): Promise<ActionOutcome> {
  try {
    return await run();
  } catch (error) {
    // What was written is recorded after it: its reason is complete.
    const isKnown = [MoveInError, JournalError, CommissionSourceError].some((kind) => error instanceof kind);
    if (isKnown && error instanceof Error) return fail(error.message.replace(/\s+/g, ' '));
    // A full disk, for example.
    if (error instanceof Error && 'code' in error) return fail(explainWriteFailure(error));
    throw error;
  }
}
