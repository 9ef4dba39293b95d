import type { z } from 'zod';
import { JournalError } from '../../content-files/journal.ts';
import { explainWriteFailure } from '../../content-files/write-whole.ts';
import { NETWORKS } from '../../core/commissions/ledger/commission-terms.ts';
import { MoveInError } from '../../move-in/former-item.ts';
import type { moveInActions } from '../actions.ts';
import type { ActionOutcome, ConsoleSite } from '../console-site.ts';
import { fail, finish } from './run-imports.ts';
import { MAX_UPLOAD_MB } from './uploads.ts';

const ANCHOR = '#move-in';

type Fields<Name extends keyof typeof moveInActions.actions> = z.output<
  (typeof moveInActions.actions)[Name]['fields']
>;

/** Reads an uploaded export of WordPress, for its preview. */
export async function uploadSite(
  { moveIn }: ConsoleSite,
  { file, links, ...former }: Fields<'upload-site'>,
  operator: string,
): Promise<ActionOutcome> {
  if (moveIn === null) return fail('This site has no content folder to import into.');
  if (file === null || file.size === 0) return fail('Choose an export that is not empty.');
  const given = links !== null && links.size > 0 ? links : null;
  if (file.size + (given?.size ?? 0) > MAX_UPLOAD_MB * 1024 * 1024)
    return fail(
      `The files are larger than ${MAX_UPLOAD_MB} MB, so that nothing was uploaded. ` +
        'Run on the server: npm run import -- wordpress export.xml --links links.csv',
    );
  return attempt(async () => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const plugin = given && { name: given.name, bytes: new Uint8Array(await given.arrayBuffer()) };
    const name = file.name.replace(/[\p{Cc}\p{Cf}/\\]/gu, '').slice(0, 120);
    await moveIn.upload(operator, name, bytes, plugin, former);
    return finish('The export was read. Nothing is imported yet.', ANCHOR);
  });
}

/** Imports the uploaded site with the partners that the form confirms. */
export async function commitSite(
  { moveIn }: ConsoleSite,
  { upload, ...fields }: Fields<'commit-site'>,
  operator: string,
): Promise<ActionOutcome> {
  const preview = moveIn?.readPreview(operator) ?? null;
  if (moveIn === null || preview === null) return fail('The upload was imported or discarded meanwhile.');
  const decisions = preview.groups.map(({ proposal }, index) => {
    const get = (name: string) => fields[`${name}-${index}`] ?? '';
    const network = NETWORKS.find((known) => known === get('network')) ?? proposal.network;
    return {
      links: proposal.links,
      confirm: get('confirm') === 'yes',
      key: get('key'),
      name: get('name'),
      network,
      affiliate: { parameter: get('parameter'), value: proposal.affiliate.value || get('value') },
      subId: get('subId') || null,
    };
  });
  const invalid = decisions.find(
    ({ confirm, key, name }) => confirm && (!/^[a-z0-9-]{1,40}$/.test(key) || name === ''),
  );
  if (invalid !== undefined)
    return fail(`${invalid.links}: a partner needs a name, and a key of a-z, 0-9 and -.`);
  return attempt(async () => {
    const { posts, pages, redirects } = await moveIn.commit({ operator, upload }, decisions);
    return finish(`${posts + pages} articles and ${redirects} redirects were imported.`, ANCHOR);
  });
}

/** Removes the uploaded export. */
export function discardSite({ moveIn }: ConsoleSite, operator: string): ActionOutcome {
  moveIn?.discard(operator);
  return finish('The upload was discarded. Nothing was imported.', ANCHOR);
}

async function attempt(run: () => Promise<ActionOutcome>): Promise<ActionOutcome> {
  try {
    return await run();
  } catch (error) {
    // A full disk, for example.
    if (error instanceof Error && 'code' in error) return fail(explainWriteFailure(error));
    if (!(error instanceof MoveInError || error instanceof JournalError)) throw error;
    return fail(error.message.replace(/\s+/g, ' '));
  }
}
