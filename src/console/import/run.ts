import { DAY_MS } from '../../core/clock.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { undoImport } from '../../server/commissions/csv-import.ts';
import { testPostback } from '../../server/commissions/postbacks.ts';
import { syncNetworks } from '../../server/commissions/sync-networks.ts';
import {
  answerId,
  confirmMapping,
  discardMessages,
  groupByShape,
  parseStoredFields,
  type RereadResult,
  rereadMessages,
} from '../../server/commissions/unread-messages.ts';
import type { UnreadMessage } from '../../stores/ledger-rows.ts';
import type { Handlers, importActions, moveInActions } from '../actions.ts';
import type { ActionOutcome, ConsoleSite } from '../console-site.ts';
import { formatCount } from '../reports/format.ts';
import { commitSite, discardSite, uploadSite } from './move-in.ts';
import { parseMapping, readExample } from './read.ts';
import {
  answerUpload,
  commitFile,
  discardUpload,
  fail,
  finish,
  GONE,
  openUploads,
  uploadFile,
} from './run-imports.ts';

/** Brings in what networks and platforms report, and takes it back. */
export const runImports: Handlers<typeof importActions.actions> = {
  upload: async (site, { partner, file, ...answers }, { viewer }) =>
    site.content.read().partners.has(partner)
      ? uploadFile(site, { file, answers, about: { kind: 'report', partner } }, viewer.id)
      : fail('Choose the partner of the file.'),
  async commit(site, { upload: id }, { viewer }) {
    const upload = await openUploads(site).get(id, viewer.id);
    // Costs have forms of their own, and a site that is moved in, which needs another right.
    return upload?.kind === 'report' ? commitFile(site, upload) : fail(GONE);
  },
  'answer-file': (site, { upload: id, ...answers }, { viewer }) =>
    answerUpload(site, { id, kind: 'report', operator: viewer.id }, answers, { finish, fail }),
  discard: (site, { upload }, { viewer }) => discardUpload(site, upload, viewer.id),
  undo: async ({ clock, money: { ledger } }, fields) =>
    (await undoImport(ledger, fields.import, clock.now()))
      ? finish('The import was undone. Its commissions count no longer.', '#imports')
      : fail('There is no such import, or it is undone already.'),
  'map-messages': (site, { message, ...fields }) =>
    changeUnread(site, message, async (newest) => {
      const mapping = parseMapping((key) => fields[key] ?? '', parseStoredFields(newest));
      const terms = site.content.read().partners.get(newest.partner)?.terms ?? DEFAULT_TERMS;
      const example = await readExample(site, newest, terms, mapping);
      return example.report === null
        ? fail(`The newest message cannot be read with these fields: ${example.problem}.`)
        : describeReread(await confirmMapping(site, newest.partner, mapping));
    }),
  'read-messages': (site, { message }) =>
    changeUnread(site, message, async ({ partner }) => describeReread(await rereadMessages(site, partner))),
  'answer-id': (site, { message, order }) =>
    changeUnread(site, message, async (newest) =>
      describeReread(await answerId(site, newest, order === 'same')),
    ),
  'discard-messages': (site, { message }) =>
    changeUnread(site, message, async ({ partner }, group) => {
      await discardMessages(site.money.ledger, group);
      return finish(`${countMessages(group.length)} of ${partner} discarded.`, '#unread');
    }),
  async 'create-postbacks'({ money: { postbackAddresses } }, { from }) {
    await postbackAddresses.create();
    return finishAt(from, 'The postback addresses were created.');
  },
  async 'renew-postback'(site, { partner, days, from }) {
    if (!site.content.read().partners.has(partner)) return fail('There is no such partner.');
    await site.money.postbackAddresses.renew(partner, days * DAY_MS);
    const period = days === 1 ? 'a day' : `${days} days`;
    const former =
      days === 0
        ? 'The former one is refused from now on.'
        : `The former one is accepted for ${period} more: give the network the new one.`;
    return finishAt(from, `${partner} has another address. ${former}`);
  },
  async 'test-postback'(site, { partner, from }) {
    const { name } = site.content.read().partners.get(partner) ?? {};
    if (name === undefined) return fail('There is no such partner.');
    const { isStored, response } = await testPostback(site, partner);
    return isStored
      ? finishAt(from, `The address of ${name} stored a test message. It changes no total.`)
      : { ...finishAt(from, `The address of ${name} responded: ${response}`), isError: true };
  },
  async sync(site) {
    if (site.money.commissionSources.size === 0) return fail('No network has credentials yet.');
    await site.money.secrets.readConfirmed(site.content.read().networks);
    const results = await syncNetworks(site);
    const failed = results.find(({ state }) => state === 'failed');
    if (failed !== undefined) return fail(`${failed.network} could not be read: ${failed.problem}`);
    const stored = results.reduce((sum, result) => sum + result.stored, 0);
    return finish(`The networks were read: ${stored} new or changed reports.`, '#sync');
  },
};

/** Leads back to the page of the console that had the form. */
const finishAt = (from: string, message: string): ActionOutcome => ({
  ...finish(message, '#postbacks'),
  ...(/^\/console\/[\w./?=&%-]+$/.test(from) && { location: `${from}#postbacks` }),
});

/** Moves a site in. */
export const runMoveIn: Handlers<typeof moveInActions.actions> = {
  'upload-site': (site, fields, { viewer }) => uploadSite(site, fields, viewer.id),
  'commit-site': (site, fields, { viewer }) => commitSite(site, fields, viewer.id),
  'discard-site': async (site, _, { viewer }) => discardSite(site, viewer.id),
};

/** Changes the messages that could not be read and have the same fields as one of them. */
async function changeUnread(
  site: ConsoleSite,
  message: string,
  change: (newest: UnreadMessage, group: readonly UnreadMessage[]) => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  const groups = groupByShape(await site.money.ledger.readUnread());
  const group = groups.find((messages) => messages.some(({ id }) => id === message)) ?? [];
  const newest = group.at(-1);
  return newest === undefined
    ? fail('These messages were read or discarded meanwhile.')
    : change(newest, group);
}

const countMessages = (count: number) => formatCount(count, 'message');

function describeReread({ read, matched, unread }: RereadResult): ActionOutcome {
  if (read === 0) return fail('No message can be read yet.');
  const rest = unread === 0 ? '' : ` ${countMessages(unread)} still cannot be read.`;
  return finish(`${countMessages(read)} read, ${matched} matched.${rest}`, '#unread');
}
