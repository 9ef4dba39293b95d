import {
  CommissionSourceError,
  type MessageFields,
} from '../../core/commissions/ledger/commission-source.ts';
import { type CommissionTerms, DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { collectStrings } from '../../core/commissions/ledger/message-fields.ts';
import {
  listMessageFields,
  MESSAGE_MEANINGS,
  type MessageMapping,
  proposeMapping,
} from '../../core/commissions/ledger/message-mapping.ts';
import { isAllowed } from '../../core/console/operator.ts';
import { buildPostbackPath } from '../../core/paths.ts';
import { undoImport } from '../../server/commissions/csv-import.ts';
import { testPostback } from '../../server/commissions/postbacks.ts';
import { readSyncRows, syncNetworks } from '../../server/commissions/sync-networks.ts';
import {
  confirmMapping,
  groupByShape,
  parseMappedMessage,
  parseStoredFields,
  type RereadResult,
  rereadMessages,
} from '../../server/commissions/unread-messages.ts';
import type { UnreadMessage } from '../../stores/ledger-rows.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../console-site.ts';
import { getFormText } from '../http.ts';
import {
  assignCost,
  commitCosts,
  previewCostUpload,
  readCostImports,
  undoCosts,
  uploadCosts,
} from './costs.ts';
import { commitSite, discardSite, uploadSite } from './move-in.ts';
import {
  commitFile,
  discardFile,
  fail,
  finish,
  ImportRunner,
  openUploads,
  uploadFile,
} from './run-imports.ts';
import {
  buildImportPreview,
  buildProgress,
  buildReading,
  type ImportPreview,
  type ImportUpload,
  MAX_UPLOAD_MB,
  previewUpload,
} from './uploads.ts';

const MAX_IMPORTS = 50;

/** Reads what brings in what networks report: files, postbacks, APIs. */
export async function readImport(
  site: ConsoleSite,
  { parameters, viewer, formToken }: Pick<ViewRequest, 'parameters' | 'viewer' | 'formToken'>,
) {
  const { settings, ledger, postbackAddresses, clock } = site;
  const content = site.content.read();
  const partners = [...content.partners];
  const canChange = isAllowed(viewer, 'manage');
  const imports = await ledger.readImports();
  const tokens = await postbackAddresses.readTokens();
  const upload = canChange ? await findUpload(site, parameters.get('upload') ?? '', viewer.id) : null;
  const shown = canChange ? parameters.get('show') : null;
  const lastMessages = await readLastMessages(site);
  return {
    partners: partners.map(([key, { name, terms }]) => ({ key, name, currency: terms.currency })),
    preview: upload === null || upload.platform !== null ? null : await readPreview(site, upload),
    /** Of a file of costs that was uploaded; null without one. */
    costPreview: upload === null ? null : await previewCostUpload(site, upload),
    costs: await readCostImports(site),
    /** Messages that could not be read, by partner and the names of their fields. */
    unread: await readUnreadGroups(site, parameters),
    /** Newest first; at most `MAX_IMPORTS`. */
    imports: [...imports].sort((one, other) => other.changedAt - one.changedAt).slice(0, MAX_IMPORTS),
    syncs: await readSyncRows(site),
    /** Where networks send their messages. */
    postbacks: partners.map(([key, { name, terms }]) => ({
      partner: key,
      name,
      network: terms.network,
      /** The secret address; null until it is requested. */
      address:
        tokens !== null && shown === key
          ? settings.siteUrl + buildPostbackPath(key, tokens.build(key))
          : null,
      lastMessageAt: lastMessages.get(key) ?? null,
    })),
    /** Whether postback addresses exist. */
    hasPostbacks: tokens !== null,
    /** Time zones that the form offers. */
    timeZones: Intl.supportedValuesOf('timeZone'),
    maxFileMb: MAX_UPLOAD_MB,
    /** The import of another site; null where there is no content folder, and for viewers. */
    moveIn:
      canChange && isAllowed(viewer, 'publish') && site.moveIn
        ? { preview: site.moveIn.readPreview() }
        : null,
    canChange,
    formToken,
    now: clock.now(),
  };
}

/** What the forms of this view ask for that a stolen session must not do. */
export const findImportPurpose = (form: FormData): string | null =>
  ['upload-site', 'commit-site'].includes(String(form.get('action'))) ? 'Move a site in' : null;

/**
 * Handles a form. `action`: `upload`, `commit`, `discard`, `undo`, `upload-costs`, `commit-costs`, `undo-costs`,
 * `assign-cost`, `map-messages`, `read-messages`, `discard-messages`, `create-postbacks`, `test-postback`, `upload-site`, `commit-site`,
 * `discard-site` or `sync`.
 */
export async function changeImport(
  site: ConsoleSite,
  form: FormData,
  { viewer }: Pick<ViewRequest, 'viewer'>,
): Promise<ActionOutcome> {
  const operator = viewer.id;
  switch (form.get('action')) {
    case 'upload':
      return uploadFile(site, form, operator);
    case 'commit':
      return commitFile(site, getFormText(form, 'upload'), operator);
    case 'discard':
      return discardFile(site, getFormText(form, 'upload'), operator);
    case 'undo':
      return undo(site, getFormText(form, 'import'));
    case 'upload-costs':
      return uploadCosts(site, form, operator);
    case 'commit-costs':
      return commitCosts(site, getFormText(form, 'upload'), operator);
    case 'undo-costs':
      return undoCosts(site, getFormText(form, 'entry'));
    case 'assign-cost':
      return assignCost(site, form);
    case 'map-messages':
    case 'read-messages':
    case 'discard-messages':
      return changeUnread(site, form);
    case 'create-postbacks':
      await site.postbackAddresses.create();
      return finish('The postback addresses were created.', '#postbacks');
    case 'test-postback':
      return test(site, getFormText(form, 'partner'));
    case 'upload-site':
    case 'commit-site':
    case 'discard-site':
      return isAllowed(viewer, 'publish')
        ? changeMoveIn(site, form)
        : fail(
            'Moving a site in changes what visitors see. Ask an operator who may publish. Nothing was changed.',
          );
    case 'sync':
      return sync(site);
    default:
      return fail('The form is incomplete. Nothing was changed.');
  }
}

/** The last messages of a group, which show what a mapping makes of them. */
const MAX_EXAMPLES = 3;

/** Messages of one partner that could not be read, whose fields have the same names. */
async function readUnreadGroups(site: ConsoleSite, parameters: URLSearchParams) {
  const groups = groupByShape(await site.ledger.readUnread());
  return Promise.all(
    groups.map(async (messages) => {
      const newest = messages.at(-1);
      const fields = newest === undefined ? {} : parseStoredFields(newest);
      const { partner = '', problem = '' } = newest ?? {};
      const { name, terms = DEFAULT_TERMS } = site.content.read().partners.get(partner) ?? { name: partner };
      const isChosen = messages.some(({ id }) => id === parameters.get('message'));
      const mapping = isChosen
        ? parseMapping((key) => parameters.get(key) ?? '', fields)
        : proposeMapping(fields);
      const examples = messages
        .slice(-MAX_EXAMPLES)
        .map((message) => readExample(site, message, terms, mapping));
      return {
        /** Names the group: the id of its newest message. */
        message: newest?.id ?? '',
        name,
        problem,
        count: messages.length,
        firstAt: messages[0]?.arrivedAt ?? 0,
        lastAt: newest?.arrivedAt ?? 0,
        fields: listMessageFields(fields),
        mapping,
        /** What the mapping makes of the newest messages. */
        examples: await Promise.all(examples),
      };
    }),
  );
}

/** What a mapping makes of a message: a commission with whether its click is known, or why it still cannot be read. */
async function readExample(
  site: ConsoleSite,
  message: UnreadMessage,
  terms: CommissionTerms,
  mapping: MessageMapping,
) {
  const fields = parseStoredFields(message);
  const parsed = parseMappedMessage(site, fields, terms, mapping);
  if (parsed?.kind !== 'reports') {
    const problem =
      parsed?.kind === 'invalid' ? parsed.detail : 'choose the fields of the commission and of its id';
    return { message: message.id, arrivedAt: message.arrivedAt, report: null, problem };
  }
  const reports = parsed.reports.map((reported) => ({ reported, strings: collectStrings(fields) }));
  const { clickIds } = await site.commissions.matchClicks(reports);
  const report = parsed.reports[0] ?? null;
  return {
    message: message.id,
    arrivedAt: message.arrivedAt,
    report,
    isMatched: clickIds[0] !== null,
    problem: '',
  };
}

/** The mapping that an operator has chosen, with paths that the message has. */
function parseMapping(getText: (key: string) => string, fields: MessageFields): MessageMapping {
  const paths = new Set(listMessageFields(fields).map(({ path }) => path));
  const chosen = MESSAGE_MEANINGS.map((meaning) => [meaning, getText(`field-${meaning}`)] as const);
  return {
    fields: Object.fromEntries(chosen.filter(([, path]) => paths.has(path))),
    unit: getText('unit') === 'minor' ? 'minor' : 'decimal',
  };
}

async function changeMoveIn(site: ConsoleSite, form: FormData): Promise<ActionOutcome> {
  const action = form.get('action');
  if (action === 'upload-site') return uploadSite(site, form);
  return action === 'commit-site' ? commitSite(site, form) : discardSite(site);
}

async function changeUnread(site: ConsoleSite, form: FormData): Promise<ActionOutcome> {
  const named = getFormText(form, 'message');
  const groups = groupByShape(await site.ledger.readUnread());
  const group = groups.find((messages) => messages.some(({ id }) => id === named));
  const newest = group?.at(-1);
  if (group === undefined || newest === undefined)
    return fail('These messages were read or discarded meanwhile.');
  const { partner } = newest;
  if (form.get('action') === 'discard-messages') {
    await site.ledger.removeUnread(group.map(({ id }) => id));
    return finish(`${countMessages(group.length)} of ${partner} discarded.`, '#unread');
  }
  if (form.get('action') === 'read-messages') return describeReread(await rereadMessages(site, partner));
  const mapping = parseMapping((key) => getFormText(form, key), parseStoredFields(newest));
  const terms = site.content.read().partners.get(partner)?.terms ?? DEFAULT_TERMS;
  const example = await readExample(site, newest, terms, mapping);
  if (example.report === null)
    return fail(`The newest message cannot be read with these fields: ${example.problem}.`);
  return describeReread(await confirmMapping(site, partner, mapping));
}

const countMessages = (count: number) => (count === 1 ? '1 message' : `${count} messages`);

function describeReread({ read, matched, unread }: RereadResult): ActionOutcome {
  if (read === 0) return fail('No message can be read yet.');
  const rest = unread === 0 ? '' : ` ${countMessages(unread)} still cannot be read.`;
  return finish(`${countMessages(read)} read, ${matched} matched.${rest}`, '#unread');
}

/** The upload that is asked for, else the one of the operator that is being imported or read. */
async function findUpload(site: ConsoleSite, id: string, operator: string): Promise<ImportUpload | null> {
  const uploads = openUploads(site);
  const all = id === '' ? await uploads.readAll() : [];
  const own = all.filter((upload) => upload.operator === operator);
  const running =
    own.find((upload) => upload.running !== null) ?? own.find((upload) => upload.preparing !== null);
  return running ?? (id === '' ? null : uploads.get(id, operator));
}

async function undo({ ledger, clock }: ConsoleSite, id: string): Promise<ActionOutcome> {
  return (await undoImport(ledger, id, clock.now()))
    ? finish('The import was undone. Its commissions count no longer.', '#imports')
    : fail('There is no such import, or it is undone already.');
}

async function test(site: ConsoleSite, partner: string): Promise<ActionOutcome> {
  if (!site.content.read().partners.has(partner)) return fail('There is no such partner.');
  const { isStored, response } = await testPostback(site, partner);
  return isStored
    ? finish(`The address of ${partner} stored a test message. It changes no total.`, '#postbacks')
    : fail(`The address of ${partner} responded: ${response}`);
}

async function sync(site: ConsoleSite): Promise<ActionOutcome> {
  if (site.commissionSources.size === 0) return fail('No network has credentials yet.');
  const results = await syncNetworks(site);
  const failed = results.find(({ state }) => state === 'failed');
  if (failed !== undefined) return fail(`${failed.network} could not be read: ${failed.problem}`);
  const stored = results.reduce((sum, result) => sum + result.stored, 0);
  return finish(`The networks were read: ${stored} new or changed reports.`, '#sync');
}

async function readPreview(site: ConsoleSite, upload: ImportUpload): Promise<ImportPreview> {
  if (upload.running !== null) return buildProgress(upload, upload.running.state);
  if (upload.preparing !== null) return buildReading(upload, upload.preparing);
  const options = new ImportRunner(site).buildOptions(upload);
  try {
    return buildImportPreview(upload, await previewUpload(upload, openUploads(site), options));
  } catch (error) {
    if (!(error instanceof CommissionSourceError)) throw error;
    return buildImportPreview(upload, { problem: error.message });
  }
}

/** When the newest message of each partner arrived, in ms since 1970. */
async function readLastMessages({ commissions }: ConsoleSite): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  for (const { facts } of await commissions.readEntries()) {
    for (const { partner, arrivedAt, source } of facts) {
      if (source !== 'postback' && source !== 'webhook') continue;
      times.set(partner, Math.max(arrivedAt, times.get(partner) ?? 0));
    }
  }
  return times;
}
