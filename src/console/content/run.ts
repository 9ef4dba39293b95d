import type { WrittenFields } from '../../content-files/edit/plan-form.ts';
import { isNetworkFile, NETWORK_REFUSED } from '../../content-files/networks.ts';
import type { contentActions, Handlers } from '../actions.ts';
import { buildFailure, type ConsoleSite, type ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { mayWriteNetworks } from './drafts.ts';
import { buildFieldId } from './edit-fields.tsx';
import {
  type AskedChange,
  buildData,
  changeAddress,
  changeContentFile,
  convertClipboard,
  readCurrent,
  readFileChoices,
} from './edit-file.ts';
import { addPicture, changeImages, listPictures } from './images.ts';
import { undoChanges } from './line-changes.ts';
import { listFindable } from './list-choices.ts';
import { saveLivePage } from './live-pages.ts';
import { createPiece } from './pieces.ts';
import { takeChanges } from './plan-changes.ts';
import { openShop, savePrices } from './prices.ts';
import { readContentFile } from './read-file.ts';
import { dropCopy, keepCopy, listOtherWriters, takeCopy } from './working-copies.ts';

/** Hands the form of a file over with what its button asks for. */
const file =
  (build: (fields: WrittenFields, request: ViewRequest) => AskedChange) =>
  (site: ConsoleSite, fields: WrittenFields, request: ViewRequest) =>
    changeContentFile(site, fields, request, build(fields, request));
const plain = (kind: Exclude<AskedChange['kind'], 'overwrite' | 'restore' | 'look' | 'list'>) =>
  file(() => ({ kind }));
/** `item` and `to` of its address say what a button moves, copies, removes or adds. */
const list = (kind: 'move' | 'copy' | 'remove' | 'add') =>
  file((_, { parameters }) => {
    const [item, to] = [parameters.get('item') ?? '', parameters.get('to')];
    const isPosition = to !== null && /^\d{1,5}$/.test(to);
    return { kind: 'list', operation: { kind, item, to: isPosition ? Number(to) : undefined } };
  });

/** The address that a form was posted to. */
const findAddress = ({ rest, parameters }: ViewRequest) =>
  buildConsoleAddress('content', {}, { rest, extra: Object.fromEntries(parameters) });

const confirmPayee: Handlers<typeof contentActions.actions>['confirm-payee'] = async (
  site,
  sent,
  { viewer },
) => {
  const location = buildConsoleAddress('content');
  if (isNetworkFile(sent.partner) && !mayWriteNetworks(viewer))
    return buildFailure(location, `Nothing was confirmed. ${NETWORK_REFUSED}`);
  const confirmed = await site.payees.confirm(sent.partner, sent.hash);
  if (confirmed === null)
    return buildFailure(location, 'It has changed meanwhile: look at it again. Nothing was confirmed.');
  const what = confirmed.what.charAt(0).toLowerCase() + confirmed.what.slice(1);
  return { location, message: `Confirmed ${what}.`, isError: false };
};

/** Responds with the hash of a file, and with who else writes in it. */
const readFileState: Handlers<typeof contentActions.actions>['state'] = async (site, _, { rest, viewer }) => {
  const { files } = site.platform.content;
  const current = files && readCurrent(files, rest.join('/'));
  return buildData({
    hash: current?.hash ?? '',
    others: await listOtherWriters(site, rest.join('/'), viewer),
  });
};

/** Saves a file. A script that stays on its page is told what it needs to go on, or what is wrong. */
const saveFile: Handlers<typeof contentActions.actions>['save'] = async (site, fields, request) => {
  const result = await changeContentFile(site, fields, request, { kind: 'save' });
  if (fields['page'] === undefined || result instanceof Response) return result;
  const { message, isError } = result;
  if ('location' in result) {
    const { files } = site.platform.content;
    const opened = (files && readCurrent(files, request.rest.join('/')))?.hash;
    return isError || opened === undefined ? result : buildData({ message, opened });
  }
  // What is compared needs a page of its own.
  if (result.status === 409) return result;
  const model = await readContentFile(site, { ...request, draft: result.draft });
  const problems = (model?.problems ?? []).map(({ text, field, line }) => ({
    text: line === null ? text : `Line ${line.number}: ${text}`,
    id: field === null ? '' : buildFieldId(field),
  }));
  return buildData({ message, problems });
};

/** Changes the content and its images. */
export const runContent: Handlers<typeof contentActions.actions> = {
  'add-image': (site, fields, request) => changeImages(site, 'add-image', fields, request),
  'add-picture': addPicture,
  'replace-image': (site, fields, request) => changeImages(site, 'replace-image', fields, request),
  'remove-image': (site, fields, request) => changeImages(site, 'remove-image', fields, request),
  'describe-image': (site, fields, request) => changeImages(site, 'describe-image', fields, request),
  'confirm-payee': confirmPayee,
  create: (site, fields, { viewer }) => createPiece(site, fields, viewer),
  save: saveFile,
  overwrite: file(({ current = '' }) => ({ kind: 'overwrite', replaced: current })),
  restore: file(({ version, opened = '' }) => ({
    kind: 'restore',
    version: Number(version),
    replaced: opened.trim(),
  })),
  publish: plain('publish'),
  schedule: plain('schedule'),
  'take-down': plain('take-down'),
  duplicate: plain('duplicate'),
  rename: (site, fields, request) => changeAddress(site, fields, request, 'rename'),
  'take-down-page': (site, fields, request) => changeAddress(site, fields, request, 'take-down'),
  remove: (site, fields, request) => changeAddress(site, fields, request, 'remove'),
  check: plain('check'),
  preview: plain('preview'),
  blocks: plain('blocks'),
  paste: convertClipboard,
  pictures: listPictures,
  open: plain('open'),
  compare: plain('compare'),
  state: readFileState,
  keep: keepCopy,
  'drop-copy': dropCopy,
  'take-copy': takeCopy,
  choices: readFileChoices,
  find: async (site, _, { viewer }) => buildData({ pieces: await listFindable(site, viewer) }),
  'save-prices': (site, { changes }, request) => savePrices(site, changes, request),
  'save-live-page': saveLivePage,
  'take-changes': (site, { line, only }, request) => takeChanges(site, only === '' ? line : [only], request),
  'undo-changes': (site, _, request) => undoChanges(site, request, findAddress(request)),
  'open-shop': (site, { offer }, request) => openShop(site, offer, request),
  'move-item': list('move'),
  'copy-item': list('copy'),
  'remove-item': list('remove'),
  'add-item': list('add'),
};
