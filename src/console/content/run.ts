import type { WrittenFields } from '../../content-files/edit/plan-form.ts';
import type { contentActions, Handlers } from '../actions.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { moveDate } from './calendar.ts';
import {
  type AskedChange,
  buildData,
  changeAddress,
  changeContentFile,
  convertClipboard,
  readFileChoices,
  readFileState,
} from './edit-file.ts';
import { addPicture, changeImages, listPictures } from './images.ts';
import { undoChanges } from './line-changes.ts';
import { listFindable } from './list-choices.ts';
import { createPiece } from './pieces.ts';
import { takeChanges } from './plan-changes.ts';
import { openShop, savePrices } from './prices.ts';

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

const confirmPayee: Handlers<typeof contentActions.actions>['confirm-payee'] = async (site, sent) => {
  const location = buildConsoleAddress('content');
  const confirmed = await site.payees.confirm(sent.partner, sent.hash);
  if (confirmed === null) {
    const message = 'It has changed meanwhile: look at it again. Nothing was confirmed.';
    return { location, message, isError: true };
  }
  return { location, message: `Confirmed who is paid for links to ${confirmed.name}.`, isError: false };
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
  save: plain('save'),
  overwrite: file(({ current = '' }) => ({ kind: 'overwrite', replaced: current })),
  restore: file(({ version }) => ({ kind: 'restore', version: Number(version) })),
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
  state: (site, _, { rest }) => readFileState(site, rest.join('/')),
  choices: readFileChoices,
  find: async (site, _, { viewer }) => buildData({ pieces: await listFindable(site, viewer) }),
  'save-prices': (site, { changes }, request) => savePrices(site, changes, request),
  'take-changes': (site, { line, only }, request) => takeChanges(site, only === '' ? line : [only], request),
  'move-date': moveDate,
  'undo-changes': (site, _, request) => undoChanges(site, request, findAddress(request)),
  'open-shop': (site, { offer }, request) => openShop(site, offer, request),
  'move-item': list('move'),
  'copy-item': list('copy'),
  'remove-item': list('remove'),
  'add-item': list('add'),
};
