import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { nameDecision } from '../../move-in/merchants.ts';
import { nameProductField } from '../../move-in/product-boxes.ts';
import { explainWriteFailure } from '../../stores/disk.ts';
import type { moveInActions } from '../actions.ts';
import type { ActionOutcome, ConsoleSite } from '../console-site.ts';
import { formatCount } from '../reports/format.ts';
import { isRefusal, leadTo, openUploads, readUploaded, UNREAD } from './run-imports.ts';
import { checkFile, getMaxUploadMb } from './uploads.ts';

const lead = leadTo('settings', 'move-in');
const { finish, fail } = lead;
const ANCHOR = '#move-in';
/** An operator waits so long for a preview or an import; then it goes on in the background. */
const WAIT_MS = 20_000;

const MOVING = 'The site is being imported. Nothing else was changed.';

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
  const parsed = checkFile(file, 'an export', getMaxUploadMb(site.platform.uploads).site);
  if ('problem' in parsed) return fail(parsed.problem);
  const plugin = links === null || links.size === 0 ? undefined : links;
  if (await isMoving(site, operator)) return fail(MOVING);
  return attempt(async () => {
    const about = { given, preview: null, links: plugin?.name ?? null };
    const own = { id: site.newId(), operator, kind: 'site', site: about } as const;
    const upload = await openUploads(site).receive(own, parsed, plugin);
    return readUploaded(site, upload, lead, ANCHOR, WAIT_MS);
  });
}

/** Moves the uploaded site in that the operator has seen, with the partners that the form confirms. */
export async function commitSite(
  site: ConsoleSite,
  { upload: id, hash, sample, images, ...fields }: Fields<'commit-site'>,
  operator: string,
): Promise<ActionOutcome> {
  const { moveIn } = site;
  const uploads = openUploads(site);
  const upload = await uploads.get(id, operator);
  const about = upload?.site ?? null;
  if (moveIn === null || upload === null || about === null || upload.hash !== hash)
    return fail('The upload was replaced, imported or discarded meanwhile: look at its preview.');
  const { preview } = about;
  if (preview === null) return fail(UNREAD);
  if (site.movingIn.get(id) === null) return fail(MOVING);
  const { networks } = site.content.read();
  const decisions = preview.groups.map(({ proposal }) => {
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
  const work = attempt(async () => {
    const names = preview.nameless.map(
      ({ number }) => [number, (fields[nameProductField(number)] ?? '').trim()] as const,
    );
    const moved = await moveIn.commit(
      {
        ...uploads.locateSite(upload),
        given: about.given,
        keepsSample: sample === 'keep',
        copiesImages: images === 'copy',
      },
      decisions,
      new Map(names),
    );
    await uploads.remove(id);
    if (preview.sample > 0 && sample !== 'keep') {
      // What shipped is no loss that somebody has to accept.
      await site.content.applyEdits(['site.yaml']);
      await site.content.articles.acceptDeletions();
    }
    const { posts, pages, redirects } = moved;
    const left = images === 'copy' ? moved.imagesElsewhere + moved.imagesHidden : 0;
    return finish(
      `Imported: ${formatCount(posts + pages, 'article')}, ${formatCount(redirects, 'redirect')}.` +
        (left > 0 ? ` Not copied: ${formatCount(left, 'image')}; .import/report.txt says why.` : ''),
      ANCHOR,
    );
  });
  site.movingIn.set(id, null);
  const done = work.then(
    (outcome) => {
      if (outcome.isError) site.movingIn.set(id, outcome.message);
      else site.movingIn.delete(id);
      return outcome;
    },
    (error: unknown) => {
      site.movingIn.set(id, 'The import has failed; the log of the site says why.');
      throw error;
    },
  );
  const outcome = await Promise.race([done, sleep(WAIT_MS, null, { ref: false })]);
  if (outcome !== null) {
    site.movingIn.delete(id);
    return outcome;
  }
  done.catch((error: unknown) => site.log.error('a site could not be moved in', { error }));
  return finish(`${upload.name} is being imported.`, ANCHOR);
}

/** Removes the uploaded export. */
export async function discardSite(site: ConsoleSite, operator: string): Promise<ActionOutcome> {
  if (await isMoving(site, operator)) return fail(MOVING);
  const uploads = openUploads(site);
  const upload = await uploads.findSite(operator);
  if (upload === null) return fail('The upload was imported or discarded meanwhile.');
  await uploads.remove(upload.id);
  return finish('The upload was discarded. Nothing was imported.', ANCHOR);
}

/** Whether the operator's site is being imported: its file is needed. */
async function isMoving(site: ConsoleSite, operator: string): Promise<boolean> {
  const upload = await openUploads(site).findSite(operator);
  return upload !== null && site.movingIn.get(upload.id) === null;
}

async function attempt(run: () => Promise<ActionOutcome>): Promise<ActionOutcome> {
  try {
    return await run();
  } catch (error) {
    // What was written is recorded after it: its reason is complete.
    if (isRefusal(error)) return fail(error.message.replace(/\s+/g, ' '));
    // A full disk, for example.
    if (error instanceof Error && 'code' in error) return fail(explainWriteFailure(error));
    throw error;
  }
}
