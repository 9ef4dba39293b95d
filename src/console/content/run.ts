import { Piece } from '../../content-files/edit/piece.ts';
import { planForm } from '../../content-files/edit/plan-form.ts';
import { isNetworkFile, NETWORK_REFUSED } from '../../content-files/networks.ts';
import { buildFieldId } from '../../editor/form.tsx';
import type { contentActions, Handlers } from '../actions.ts';
import { buildFailure, type ViewRequest } from '../console-site.ts';
import { buildData } from '../http.ts';
import { parseQuery } from '../parse-query.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { mayWriteNetworks } from './drafts.ts';
import { changeAddress, convertClipboard, formHandlers, readCurrent, readFileChoices } from './edit-file.ts';
import { addPicture, changeImages, listPictures } from './images.ts';
import { undoChanges } from './line-changes.ts';
import { listFindable } from './list-choices.ts';
import { saveLivePage } from './live-pages.ts';
import { createPiece } from './pieces.ts';
import { takeChanges } from './plan-changes.ts';
import { openShop, savePrices } from './prices.ts';
import { readContentFile } from './read-file.ts';
import { dropCopy, keepCopy, listOtherWriters, takeCopy } from './working-copies.ts';

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
  const result = await formHandlers.save(site, fields, request);
  if (fields['page'] === undefined || result instanceof Response) return result;
  const { message, isError } = result;
  if ('location' in result) {
    const { files } = site.platform.content;
    const file = request.rest.join('/');
    const current = files && readCurrent(files, file);
    if (isError || current === null) return result;
    const { text, hash: opened } = current;
    if (result.isJoined !== true) return buildData({ message, opened });
    const { body } = new Piece(file, text);
    const shown = planForm(file, { base: text, current: text }, { ...fields, body });
    const isText = file.endsWith('.md') && 'text' in shown && shown.text === text;
    // Where more than the text is new, the page is loaded again.
    return buildData({ message, opened, joined: isText ? body.replace(/\r\n?/g, '\n') : null });
  }
  // What is compared needs a page of its own.
  if (result.status === 409) return result;
  const model = await readContentFile(site, { ...request, draft: result.draft });
  const problems = (model?.problems ?? []).map(({ text, field, reason, line }) => ({
    // A field that is shown needs no line.
    text:
      line === null || (field !== null && fields['front'] !== undefined)
        ? text
        : `Line ${line.number}: ${text}`,
    id: field === null ? '' : buildFieldId(field),
    field: field ?? '',
    reason,
  }));
  return buildData({ message, problems });
};

/** Changes the content and its images. */
export const runContent: Handlers<typeof contentActions.actions> = {
  ...formHandlers,
  'add-image': (site, fields, request) => changeImages(site, 'add-image', fields, request),
  'add-picture': addPicture,
  'replace-image': (site, fields, request) => changeImages(site, 'replace-image', fields, request),
  'remove-image': (site, fields, request) => changeImages(site, 'remove-image', fields, request),
  'describe-image': (site, fields, request) => changeImages(site, 'describe-image', fields, request),
  'confirm-payee': confirmPayee,
  create: (site, fields, { viewer }) => createPiece(site, fields, viewer),
  save: saveFile,
  rename: (site, fields, request) => changeAddress(site, fields, request, 'rename'),
  'take-down-page': (site, fields, request) => changeAddress(site, fields, request, 'take-down'),
  remove: (site, fields, request) => changeAddress(site, fields, request, 'remove'),
  paste: convertClipboard,
  pictures: listPictures,
  state: readFileState,
  keep: keepCopy,
  'drop-copy': dropCopy,
  'take-copy': takeCopy,
  choices: readFileChoices,
  find: async (site, _, { viewer, parameters }) => {
    const { query } = await parseQuery(site, parameters);
    return buildData({ pieces: await listFindable(site, viewer, query) });
  },
  'save-prices': (site, { changes }, request) => savePrices(site, changes, request, findAddress(request)),
  'save-live-page': saveLivePage,
  'take-changes': (site, { line, only }, request) => takeChanges(site, only === '' ? line : [only], request),
  'undo-changes': (site, _, request) => undoChanges(site, request, findAddress(request)),
  'open-shop': (site, { offer }, request) => openShop(site, offer, request),
};
