import type { MessageFields } from '../../core/commissions/ledger/commission-source.ts';
import { type CommissionTerms, DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import {
  listMessageFields,
  MESSAGE_MEANINGS,
  proposeMapping,
} from '../../core/commissions/ledger/message-mapping.ts';
import type { MessageMapping } from '../../core/commissions/ledger/stored-money.schema.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import { buildImportSummary } from '../../server/commissions/csv-import.ts';
import { readSyncRows } from '../../server/commissions/sync-networks.ts';
import {
  groupByShape,
  isIdQuestion,
  packMessage,
  parseMappedMessage,
  parseStoredFields,
} from '../../server/commissions/unread-messages.ts';
import type { UnreadMessage } from '../../stores/ledger-rows.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { previewCostUpload, readCostImports } from './costs.ts';
import { describeExample, readNetwork, readNetworkList, readNewNetwork, readPostbacks } from './networks.ts';
import { ImportRunner, openUploads } from './run-imports.ts';
import {
  getMaxUploadMb,
  type ImportUpload,
  previewUpload,
  type ReportPreview,
  tryPreview,
} from './uploads.ts';

const MAX_IMPORTS = 50;

/** Reads the page at a path of the view; null without one. */
export function readImportPage(site: ConsoleSite, request: ViewRequest) {
  const [page, name] = request.rest;
  if (page === 'networks')
    return name === undefined ? readNetworkList(site) : readNetwork(site, name, request);
  if (page === 'new-network') return readNewNetwork(site, request);
  return name === undefined ? readImport(site, request) : Promise.resolve(null);
}

/** Reads what campaigns have cost: the file that was uploaded, and those that were imported. */
export async function readCostPage(site: ConsoleSite, { parameters, viewer, rest }: ViewRequest) {
  if (rest.length > 1) return null;
  const canChange = isAllowed(viewer, 'manage');
  const upload = canChange ? await findUpload(site, parameters.get('upload') ?? '', viewer.id) : null;
  return {
    /** Of a file of costs that was uploaded; null without one. */
    costPreview: upload === null ? null : await previewCostUpload(site, upload),
    costs: await readCostImports(site),
    /** Time zones that the form offers. */
    timeZones: Intl.supportedValuesOf('timeZone'),
    maxMb: getMaxUploadMb(site.platform.uploads),
    canChange,
  };
}

/** Reads the import of another site; `moveIn`: null where there is no content folder, and for viewers. */
export async function readMoveInPage(site: ConsoleSite, { viewer, rest }: ViewRequest) {
  const mayMove = isAllowed(viewer, 'manage') && isAllowed(viewer, 'publish') && site.moveIn !== null;
  if (rest.length > 1) return null;
  return {
    moveIn: mayMove ? await readMoveIn(site, viewer.id) : null,
    maxMb: getMaxUploadMb(site.platform.uploads),
  };
}

/** Reads what brings in what networks report: files, postbacks, APIs. */
export async function readImport(site: ConsoleSite, { parameters, viewer }: ViewRequest) {
  const { clock } = site;
  const { ledger } = site.money;
  const content = site.content.read();
  const partners = [...content.partners];
  const canChange = isAllowed(viewer, 'manage');
  const imports = await ledger.readImports();
  const postbacks = await readPostbacks(site, canChange ? parameters.get('show') : null);
  const upload = canChange ? await findUpload(site, parameters.get('upload') ?? '', viewer.id) : null;
  return {
    page: 'import' as const,
    partners: partners.map(([key, { name, terms }]) => ({ key, name, currency: terms.currency })),
    preview: upload === null || upload.kind !== 'report' ? null : await readPreview(site, upload),
    /** Messages that could not be read, by partner and the names of their fields. */
    unread: await readUnreadGroups(site, parameters),
    /** Newest first; at most `MAX_IMPORTS`. */
    imports: [...imports].sort((one, other) => other.changedAt - one.changedAt).slice(0, MAX_IMPORTS),
    syncs: await readSyncRows(site),
    /** Where networks send their messages. */
    postbacks: postbacks.rows,
    /** Whether postback addresses exist. */
    hasPostbacks: postbacks.hasPostbacks,
    /** Time zones that the form offers. */
    timeZones: [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])],
    maxMb: getMaxUploadMb(site.platform.uploads),
    canChange,
    now: clock.now(),
  };
}

async function readMoveIn(site: ConsoleSite, operator: string) {
  const upload = await openUploads(site).findSite(operator);
  const state = upload === null ? undefined : site.movingIn.get(upload.id);
  const networks = [...site.content.read().networks.keys()];
  /** `problem`: why it could not be imported in the background. */
  return { upload, networks, isMoving: state === null, problem: state ?? null };
}

/** The last messages of a group, which show what a mapping makes of them. */
const MAX_EXAMPLES = 3;

/** Messages of one partner that could not be read, whose fields have the same names. */
async function readUnreadGroups(site: ConsoleSite, parameters: URLSearchParams) {
  const groups = groupByShape(await site.money.ledger.readUnread());
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
        /** Whether nobody has said that its id is that of a stored commission. */
        isIdQuestion: newest !== undefined && isIdQuestion(newest),
        count: messages.length,
        lastAt: newest?.arrivedAt ?? 0,
        fields: listMessageFields(fields),
        packed: newest === undefined ? '' : packMessage(newest),
        mapping,
        /** What the mapping makes of the newest messages. */
        examples: await Promise.all(examples),
      };
    }),
  );
}

/** What a mapping makes of a message. */
export const readExample = (
  site: ConsoleSite,
  message: UnreadMessage,
  terms: CommissionTerms,
  mapping: MessageMapping,
) => describeExample(site, message, parseMappedMessage(site, parseStoredFields(message), terms, mapping));

/** The mapping that an operator has chosen, with paths that the message has. */
export function parseMapping(getText: (key: string) => string, fields: MessageFields): MessageMapping {
  const paths = new Set(listMessageFields(fields).map(({ path }) => path));
  const chosen = MESSAGE_MEANINGS.map((meaning) => [meaning, getText(`field-${meaning}`)] as const);
  return {
    fields: Object.fromEntries(chosen.filter(([, path]) => paths.has(path))),
    unit: getText('unit') === 'minor' ? 'minor' : 'decimal',
  };
}

/** The upload that is asked for, else the one of the operator that is being imported or read. */
async function findUpload(site: ConsoleSite, id: string, operator: string): Promise<ImportUpload | null> {
  const uploads = openUploads(site);
  const all = id === '' ? await uploads.readAll() : [];
  const own = all.filter((upload) => upload.operator === operator && upload.kind !== 'site');
  const running =
    own.find((upload) => upload.running !== null) ?? own.find((upload) => upload.preparing !== null);
  return running ?? (id === '' ? null : uploads.get(id, operator));
}

async function readPreview(site: ConsoleSite, upload: ImportUpload): Promise<ReportPreview> {
  const { running, preparing } = upload;
  if (running === null && preparing !== null) {
    const problems = preparing.problem === null ? [] : [preparing.problem];
    return { upload, summary: null, problems, question: null };
  }
  const preview = await tryPreview(async () =>
    running === null
      ? previewUpload(upload, openUploads(site), new ImportRunner(site).buildOptions(upload))
      : buildImportSummary(running.state, false),
  );
  return { upload, ...preview };
}
