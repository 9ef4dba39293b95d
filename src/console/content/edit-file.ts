import { findUnpublishable } from '../../content-files/check-rules.ts';
import type {
  ContentDraft,
  ContentFiles,
  ContentText,
  SavedContent,
} from '../../content-files/content-files.ts';
import { hasDrafts, Piece, type PlanRefusal } from '../../content-files/edit/piece.ts';
import { listOwnPaths } from '../../content-files/edit/plan-address.ts';
import {
  type FormRefusal,
  planForm,
  restoreBreaks,
  type WrittenFields,
} from '../../content-files/edit/plan-form.ts';
import { planOwnAddress } from '../../content-files/edit/plan-redirects.ts';
import { findNamedFile } from '../../content-files/edit/plan-removal.ts';
import { keepState, noteUpdate, planState, type StateWish } from '../../content-files/edit/plan-state.ts';
import { isOfKind } from '../../content-files/kinds.ts';
import { hashText } from '../../content-files/parse-yaml.ts';
import { describePayee, findPayeeChange, type PayeeChange } from '../../content-files/payee.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import { listLabels } from '../../core/outbound/labels.ts';
import { partnerSchema } from '../../core/outbound/partner.schema.ts';
import { findPartnerOfAddress, type Partner } from '../../core/outbound/partner.ts';
import { buildRedirectPath } from '../../core/paths.ts';
import { writeAddress } from '../../move-in/html-to-markdown.ts';
import { findAffiliateTag } from '../../move-in/merchants.ts';
import { convertPasted } from '../../move-in/pasted-html.ts';
import type { ActionResult, ShownDraft } from '../actions.ts';
import { type ActionOutcome, buildFailure, type ConsoleSite, type ViewRequest } from '../console-site.ts';
import { buildData } from '../http.ts';
import { formatMoney } from '../reports/format.ts';
import { findPublishProblem, READ_ONLY_BUILD } from './drafts.ts';
import { buildFileAddress } from './file-address.ts';
import { joinPieces } from './join-pieces.ts';
import { buildDestinationLink, listCards, listChoices } from './list-choices.ts';
import { noteSaved } from './note-saved.ts';
import { type AddressChange, changePieceAddress, findOwnAddress, removeNamed } from './piece-address.ts';
import { duplicatePiece } from './pieces.ts';
import { RISK_DAYS, readRisk } from './updates.ts';
import { readPlanTime, readSaving } from './written-files.ts';

const NOTHING = 'Nothing was saved.';
const ALREADY_SAVED = 'Saved. The file on the server had exactly this text already.';
const CHANGED_MEANWHILE = 'The file was changed on the server while you were writing: compare below.';
const REMOVED_MEANWHILE =
  'The file was removed on the server while you were writing. Your text is here: save it to create the file again.';
const NOT_SAVED = 'Not saved yet.';
const CONFIRM_PAYEE = 'Somebody else would be paid: compare below, and save it again if it is right.';

/** The file as it is; null if it does not exist. */
export function readCurrent(files: ContentFiles, file: string): ContentText | null {
  const found = files.read(file);
  return 'problem' in found ? null : found;
}

/** Responds with what scripts offer while a text is written; asked for them, with cards or what links to partners earned. */
export async function readFileChoices(site: ConsoleSite, { of = '' }: WrittenFields): Promise<Response> {
  if (of === 'cards') return buildData({ cards: listCards(site) });
  if (of !== 'money') return buildData(listChoices(site));
  const { rank, currency } = await readRisk(site);
  const partners = [...site.content.read().partners.values()];
  const ranked = rank(partners.map(({ key, name }) => ({ key, name, partner: key, pages: [] })));
  const earned = ranked.flatMap(({ key, name, amount }) =>
    amount > 0 && currency !== null
      ? [
          {
            name,
            kind: `${formatMoney(amount, currency)} in ${RISK_DAYS} days`,
            value: buildRedirectPath(key),
          },
        ]
      : [],
  );
  return buildData({ earned });
}

/**
 * Responds with the Markdown of a clipboard's HTML, or with the link that an address alone becomes. Links to merchants stay,
 * with those in `own` that the site is paid for.
 */
export async function convertClipboard(
  site: ConsoleSite,
  { html = '', address = '' }: WrittenFields,
): Promise<Response> {
  const { content, settings, platform } = site;
  const { partners } = content.read();
  const getOwnPath = (href: string) =>
    href === settings.siteUrl || href.startsWith(`${settings.siteUrl}/`)
      ? href.slice(settings.siteUrl.length) || '/'
      : null;
  if (address !== '') {
    const own = getOwnPath(address);
    const link = own === null ? undefined : listChoices(site).links.find(({ value }) => value === own);
    const partner = own === null ? findPartnerOfAddress(address, partners) : null;
    if (partner === null) return buildData({ href: link === undefined ? '' : own, name: link?.name ?? '' });
    const { page, href, tag } = buildOwnLink(partner, address);
    return buildData({ href, tag, page, name: partner.name, partner: partner.name });
  }
  const [owned, links] = [new Set<string>(), new Map<string, string>()];
  const rewriteLink = (href: string) => {
    const own = getOwnPath(href);
    const partner = own === null ? findPartnerOfAddress(href, partners) : null;
    if (partner === null) return { href: own ?? href };
    const link = buildOwnLink(partner, href);
    owned.add(
      link.tag === '' ? partner.name : `${partner.name} (with the tag “${link.tag}” of somebody else)`,
    );
    links.set(writeAddress(href), link.href);
    return { href };
  };
  const findOwnImage = (src: string) => {
    const own = getOwnPath(src);
    const found = [...platform.content.readImages().images].find(
      ([, image]) =>
        own !== null && [image.src, ...image.sources.map(({ srcset }) => srcset)].join().includes(own),
    );
    return found === undefined ? null : `../images/${encodeURI(found[0])}`;
  };
  try {
    const pasted = convertPasted(html, rewriteLink, findOwnImage);
    return buildData({ ...pasted, owned: [...owned].join(', '), own: Object.fromEntries(links) });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return buildData({ problem: `What was copied cannot be read: ${error.message}.` });
  }
}

/** The link of the site to where an address of a partner leads, and whose tag the address has; empty: nobody else's. */
function buildOwnLink(partner: Partner, address: string) {
  const { host, pathname, searchParams } = new URL(address);
  const found = [...partner.destinations].find(([, destination]) => {
    const url = new URL(destination);
    return url.host === host && url.pathname === pathname;
  });
  const page = found?.[0] ?? 'pricing';
  const tag = searchParams.get(partner.affiliate?.parameter ?? '') ?? findAffiliateTag(address);
  const isOurs = [partner.affiliate?.value, ...(partner.labels ? listLabels(partner.labels) : [])].includes(
    tag,
  );
  return { page, href: buildDestinationLink(partner.key, page), tag: isOurs ? '' : tag };
}

/** Changes the address of the page of a file, or ends it. */
export async function changeAddress(
  site: ConsoleSite,
  form: WrittenFields,
  request: ViewRequest,
  change: AddressChange,
): Promise<ActionResult> {
  const file = request.rest.join('/');
  const named = findNamedFile(file);
  if (named !== null && change === 'remove') return removeNamed(site, named, form, request);
  const piece = findOwnAddress(site, file);
  if (piece === null || site.platform.content.files === null)
    return buildFailure(buildFileAddress(file), `The file has no address. ${NOTHING}`);
  const outcome = await changePieceAddress(site, piece, change, form, request);
  const unseen = outcome.isError ? null : findUnseen(site, file);
  return unseen === null ? outcome : { ...outcome, message: `${unseen} ${outcome.message}` };
}

/** A posted form of a file, with the file as it is. */
type PostedText = Awaited<ReturnType<typeof readPosted>>;
/** A form that was taken over: `piece` is the file with it. */
type PostedFile = PostedText & { readonly files: ContentFiles; readonly piece: Piece };
/** Reads the hash of another text that was shown, in whose place the form is saved. */
type ReadReplaced = (form: WrittenFields) => string | undefined;

/** Reads a posted form of a file. `replaced`: the hash of another text that was shown, in whose place it is saved. */
export async function readPosted(
  site: ConsoleSite,
  form: WrittenFields,
  request: ViewRequest,
  replaced?: string,
) {
  const file = request.rest.join('/');
  const { files } = site.platform.content;
  /** Null: there is no such file. */
  const current = files && readCurrent(files, file);
  const sent = (form['opened'] ?? '').trim();
  const isKnown = (form['draft'] ?? form['text']) !== undefined;
  // A form whose file was unchanged when it was opened need not send the text.
  const first = isKnown || current?.hash === sent ? null : await findOpened(site, file, sent);
  const old = first ?? current?.text ?? '';
  const base = restoreBreaks(form['draft'] ?? old, old);
  // The file has what this form began with, or what was kept of it.
  const isOwn =
    current !== null &&
    (current.hash === form['kept'] || (form['draft'] !== undefined && current.text === base));
  /** Hash of the file that the form was opened with; empty for a new file. */
  const opened = replaced ?? (isOwn ? current.hash : sent);
  /** Whether the text is known that the fields were built from. */
  const hasBase = isKnown || first !== null || opened === current?.hash;
  return { file, form, request, current, opened, base, hasBase };
}

/** The text of a file that a form was opened with, by its hash; null: it is not among the versions. */
async function findOpened(
  { content: { versions } }: ConsoleSite,
  file: string,
  hash: string,
): Promise<string | null> {
  const found = (await versions.readAll(file).catch(() => [])).find((one) => one.hash === hash);
  return found === undefined ? null : await versions.readText(file, found.number).catch(() => null);
}

/** Creates the handler of a button: it takes over the fields of the form of a file, and does with the piece what `act` does. */
export const onForm =
  (
    act: (site: ConsoleSite, posted: PostedFile) => ActionResult | Promise<ActionResult>,
    readReplaced: ReadReplaced = () => undefined,
  ) =>
  async (site: ConsoleSite, form: WrittenFields, request: ViewRequest): Promise<ActionResult> => {
    const posted = await takeOver(site, form, request, readReplaced(form));
    return 'piece' in posted ? act(site, posted) : posted;
  };

async function takeOver(
  site: ConsoleSite,
  form: WrittenFields,
  request: ViewRequest,
  replaced?: string,
): Promise<PostedFile | ActionOutcome | ShownDraft> {
  const { files } = site.platform.content;
  const posted = await readPosted(site, form, request, replaced);
  const { file, base, current } = posted;
  if (files === null) return buildFailure(buildFileAddress(file), READ_ONLY_BUILD);
  const edited = planForm(file, { base, current: current?.text ?? '' }, form);
  if ('problem' in edited) return refuseForm(posted, edited);
  return { ...posted, files, piece: new Piece(file, edited.text) };
}

/** Shows a form again whose fields cannot be taken over. */
function refuseForm(posted: PostedText, { path, problem: reason }: FormRefusal): ShownDraft {
  const problems = [{ file: posted.file, field: '', reason, path }];
  return showText(posted, posted.base, 422, `${NOTHING} ${reason}.`, { problems });
}

/** Responds with the page of a text that is not saved, or of the one before it; `isForDesk`: for its boxes. */
const showPreview =
  (isForDesk: boolean) =>
  async (site: ConsoleSite, form: WrittenFields, request: ViewRequest): Promise<ActionResult> => {
    const posted = await takeOver(site, form, request);
    if ('location' in posted) return posted;
    const text = 'piece' in posted ? posted.piece.text : posted.draft.text;
    if (site.previews !== null) return site.previews.respond(request.rest.join('/'), text, isForDesk);
    return 'piece' in posted ? showForm(posted, 200, NOT_SAVED) : posted;
  };

/** Saves a piece, with what the fields of an update add to it. */
function saveText(site: ConsoleSite, posted: PostedFile): ActionResult | Promise<ActionResult> {
  const noted = noteUpdate(posted.piece, posted.form, readPlanTime(site));
  return 'problem' in noted
    ? showForm(posted, 422, `${NOTHING} ${noted.problem}`)
    : save(site, { ...posted, piece: noted }, null);
}

/** Saves a piece in the state that the form asks for. */
const saveState = (read: (form: WrittenFields) => StateWish) =>
  onForm((site, posted) => {
    const stated = planState(posted.piece, read(posted.form), readPlanTime(site));
    if ('problem' in stated) return showForm(posted, 422, `${NOTHING} ${stated.problem}`);
    const { file, current } = posted;
    const before = current && new Piece(file, current.text);
    const fault = findUnpublishable(before, stated.piece, readSaving(site));
    return fault === null
      ? save(site, { ...posted, piece: stated.piece }, stated.message)
      : showForm(posted, 422, `${NOTHING} ${fault}`);
  });

/** Puts back a version. */
async function restoreVersion(site: ConsoleSite, posted: PostedFile): Promise<ActionResult> {
  const number = Number(posted.form['version']);
  const piece = await readVersion(site, posted.file, number, posted.current);
  return 'problem' in piece
    ? refuseForm(posted, { ...piece, path: [] })
    : save(site, { ...posted, piece }, await describeBack(site, posted, number), number);
}

/** Shows a form again with what is wrong with its text. */
function checkText(site: ConsoleSite, posted: PostedFile): ShownDraft {
  const { files, piece } = posted;
  const problems = files.check(piece.file, piece.text, site.settings.ARTICLE_SOURCE === 'files');
  const found = problems.length === 0 ? 'No problem was found.' : `${countProblems(problems)} found.`;
  return showForm(posted, 200, `${found} ${NOT_SAVED}`, { problems });
}

/** What the buttons of the form of a file do. */
export const formHandlers = {
  save: onForm(saveText),
  overwrite: onForm(saveText, ({ current = '' }) => current),
  restore: onForm(restoreVersion, ({ opened = '' }) => opened.trim()),
  publish: saveState((form) => ({ kind: 'publish', keepsDate: form['keep-date'] === 'yes' })),
  schedule: saveState((form) => ({ kind: 'schedule', at: (form['publish-at'] ?? '').trim() })),
  'take-down': saveState(() => ({ kind: 'take-down' })),
  duplicate: onForm((site, { piece, request }) => duplicatePiece(site, piece, request.viewer)),
  check: onForm(checkText),
  preview: showPreview(false),
  blocks: showPreview(true),
  // Another part of the form is opened without a message.
  open: onForm((_, posted) => showForm(posted, 200, '')),
  compare: onForm((_, posted) =>
    (posted.current?.hash ?? '') === posted.opened
      ? showForm(posted, 200, NOT_SAVED)
      : showOther(posted, posted.current, NOT_SAVED),
  ),
};

async function readVersion(
  site: ConsoleSite,
  file: string,
  version: number,
  current: ContentText | null,
): Promise<Piece | PlanRefusal> {
  const text = await site.content.versions.readText(file, version);
  if (text === null) return { problem: 'There is no such version any more' };
  const piece = new Piece(file, text);
  if (current !== null) return keepState(piece, new Piece(file, current.text));
  // What was removed comes back unseen.
  return hasDrafts(file) ? piece.set({ draft: true }) : piece;
}

/** Shows a form again, with a text that is not saved. */
export const showText = (
  { opened }: PostedText,
  text: string,
  status: ShownDraft['status'],
  message: string,
  change: Partial<Omit<ContentDraft, 'text'>> = {},
): ShownDraft => ({
  draft: { text, opened, problems: [], current: null, ...change },
  status,
  message,
  isError: status !== 200,
});

/** Shows a form again with its piece. */
export const showForm = (
  posted: PostedFile,
  status: ShownDraft['status'],
  message: string,
  change: Partial<Omit<ContentDraft, 'text'>> = {},
) => showText(posted, posted.piece.text, status, message, change);

/** Shows a form beside the file that is there instead of the one that was opened. */
const showOther = (posted: PostedFile, other: ContentText | null, saved: string) =>
  other === null
    ? showForm(posted, 409, `${saved} ${REMOVED_MEANWHILE}`, { opened: '' })
    : showForm(posted, 409, `${saved} ${CHANGED_MEANWHILE}`, { current: other });

/** Saves a piece. `done` says what was done; null: that it was saved. `version`: the one that is put back. */
async function save(
  site: ConsoleSite,
  posted: PostedFile,
  done: string | null,
  version?: number,
): Promise<ActionResult> {
  const { file, form, request, current, piece } = posted;
  const { text } = piece;
  const texts = current === null ? [text] : [current.text, text];
  const refused = findPublishProblem(request.viewer, file, texts);
  if (refused !== null) return showForm(posted, 403, `${NOTHING} ${refused}`);
  const payee = isAllowed(request.viewer, 'manage') ? null : findNewPayee(site, piece);
  if (payee !== null && form['payee'] !== payee.hash)
    return showForm(posted, 409, `${NOTHING} ${CONFIRM_PAYEE}`, { payee });
  const location = keepView(file, request.parameters, form);
  const isKept = await hasOwnCopy(site, posted);
  const removeCopy = async () => {
    if (isKept) await site.content.versions.removeCopy(file, request.viewer.id).catch(() => undefined);
  };
  // Sent again after a response that was lost.
  if (current?.text === text && current.hash !== posted.opened) {
    await removeCopy();
    return { location, message: ALREADY_SAVED, isError: false, note: '' };
  }
  const { saved, freed } = saveFile(site, posted);
  if (saved.outcome === 'changed') {
    // An earlier text takes the place of the one that was shown, and of no other.
    const joined = version === undefined ? await saveJoined(site, posted, saved.current, done) : null;
    return joined ?? showOther(posted, saved.current, NOTHING);
  }
  if (saved.outcome === 'failed') return showForm(posted, 503, saved.reason);
  if (saved.outcome === 'refused') return showForm(posted, 422, `${NOTHING} ${saved.reason}`);
  if (saved.outcome === 'invalid') {
    const { problems } = saved;
    const found = `${countProblems(problems)} found, named below.`;
    return showForm(posted, 422, `${NOTHING} ${found}`, { problems });
  }
  const { viewer } = request;
  const note = await noteSaved(site, file, { before: current, text, viewer, version, removeCopy });
  const message = findUnseen(site, file) ?? done ?? describeSaved(site, piece);
  return { location, message: message + freed + note, isError: false, note: '' };
}

/** Saves a piece with what somebody has changed in other places meanwhile; null: only a person can say what is right. */
async function saveJoined(
  site: ConsoleSite,
  posted: PostedFile,
  theirs: ContentText | null,
  done: string | null,
): Promise<ActionResult | null> {
  const { file, opened, piece, request } = posted;
  const text = theirs === null ? null : await findOpened(site, file, opened);
  if (theirs === null || text === null) return null;
  const joined = joinPieces(new Piece(file, text), new Piece(file, theirs.text), piece);
  if (joined === null) return null;
  const versions = await site.content.versions.readAll(file).catch(() => []);
  const { operator = '' } = versions.find(({ hash }) => hash === theirs.hash) ?? {};
  const isOwn = 'name' in request.viewer && request.viewer.name === operator;
  const by = operator === '' ? 'on the server' : isOwn ? 'in another tab' : `by ${operator}`;
  const saved = await save(site, { ...posted, piece: joined, current: theirs, opened: theirs.hash }, done);
  return 'location' in saved && !saved.isError
    ? { ...saved, message: `${saved.message} Joined with a change ${by}.`, isJoined: true }
    : saved;
}

/** Whether there is a working copy of the operator whose form is saved, which no other device or page has written. */
async function hasOwnCopy(
  { content: { versions } }: ConsoleSite,
  { file, form, request, piece: { text } }: PostedFile,
): Promise<boolean> {
  const own = (await versions.readCopies(file).catch(() => [])).find(
    ({ operator }) => operator === request.viewer.id,
  );
  if (own === undefined) return false;
  return own.page === form['page'] || own.text === text || hashText(own.text) === form['kept'];
}

/** Who else would be paid if visitors saw the piece of a partner; null: nobody else. */
function findNewPayee({ content }: ConsoleSite, { file, values }: Piece): PayeeChange | null {
  if (!isOfKind(file, 'partner')) return null;
  const { data: partner } = partnerSchema.safeParse(values);
  // What is wrong is not saved.
  if (partner === undefined) return null;
  const shown = content.read().partners.get(partner.key);
  return findPayeeChange(partner, shown && describePayee(shown));
}

/** Saves a file. A piece that visitors see again at its address ends the redirects from it; `freed` says so. */
function saveFile(
  site: ConsoleSite,
  { file, files, opened, request, piece }: PostedFile,
): { readonly saved: SavedContent; readonly freed: string } {
  const before = opened === '' ? null : opened;
  const saving = readSaving(site, request.viewer);
  const { text } = piece;
  const address = piece.isDraft ? null : findOwnAddress(site, file);
  const own = address === null ? [] : planOwnAddress(files.readRedirects(), listOwnPaths(address, text));
  if (address === null || own.length === 0)
    return { saved: files.save(file, text, before, saving), freed: '' };
  const saved = files.saveTogether([{ file, text, opened: before }, ...own], saving);
  const freed = ` The redirect from ${address.path} was removed, because the page is there again.`;
  if (saved.outcome === 'saved') return { saved: { outcome: 'saved', hash: hashText(text) }, freed };
  if (saved.outcome !== 'changed') return { saved, freed };
  return { saved: { outcome: 'changed', current: readCurrent(files, file) }, freed };
}

/** What putting back a version did; null for a file that has neither a state nor another name before. */
async function describeBack(
  site: ConsoleSite,
  { file, current }: PostedFile,
  number: number,
): Promise<string | null> {
  const versions = await site.content.versions.readAll(file).catch(() => []);
  const { savedAs = '' } = versions.find((one) => one.number === number) ?? {};
  if (savedAs === '' && !hasDrafts(file)) return null;
  const from = savedAs === '' ? '' : ` It is from the time when the file was content/${savedAs}.`;
  const state = current === null ? 'It is a draft.' : 'Its state and its address stay as they are now.';
  return `Version ${number} is put back.${from} ${state}`;
}

const countProblems = ({ length }: readonly unknown[]) =>
  length === 1 ? '1 problem was' : `${length} problems were`;

/** The address of what is shown after saving: the same view, the same part of the form. */
export function keepView(file: string, parameters: URLSearchParams, form: WrittenFields): string {
  const at = parameters.get('at') ?? '';
  const view = form['view'] ?? '';
  if (['text', 'history'].includes(view)) return buildFileAddress(file, { view });
  return buildFileAddress(file, at === '' ? {} : { at });
}

/** Why visitors do not see what was saved, as a sentence; null when they do. */
function findUnseen({ content }: ConsoleSite, file: string): string | null {
  const reason = content
    .readWarnings()
    .map((warning) => warning.replace(/^content: /, ''))
    .find((warning) => warning.startsWith('an edit is not shown') || warning.includes(`content/${file} `));
  return reason === undefined ? null : `Saved, but visitors do not see all of it yet: ${reason}.`;
}

function describeSaved(site: ConsoleSite, piece: Piece): string {
  const { state } = piece.readState(readPlanTime(site)) ?? {};
  if (state === 'draft') return 'Saved. It is a draft, so visitors do not see it.';
  return state === 'scheduled' ? 'Saved. Visitors see it at its time.' : 'Saved. Visitors see it now.';
}
