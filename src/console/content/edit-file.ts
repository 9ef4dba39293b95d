import { findUnpublishable } from '../../content-files/check-rules.ts';
import type {
  ContentDraft,
  ContentFiles,
  ContentText,
  SavedContent,
} from '../../content-files/content-files.ts';
import { listOwnPaths } from '../../content-files/edit/plan-address.ts';
import {
  type AskedOperation,
  type FormPlan,
  type FormRefusal,
  planForm,
  restoreBreaks,
  type WrittenFields,
} from '../../content-files/edit/plan-form.ts';
import { planOwnAddress } from '../../content-files/edit/plan-redirects.ts';
import { findNamedFile } from '../../content-files/edit/plan-removal.ts';
import {
  buildDraftEdit,
  editFront,
  hasDrafts,
  isDraft,
  keepState,
  noteUpdate,
  planState,
  readPieceState,
  type StateWish,
} from '../../content-files/edit/plan-state.ts';
import { hashText, parseYaml } from '../../content-files/parse-yaml.ts';
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
import { buildFailure, type ConsoleSite, type ViewRequest } from '../console-site.ts';
import { CONSOLE_HEADERS } from '../http.ts';
import { formatMoney } from '../reports/format.ts';
import { findPublishProblem, READ_ONLY_BUILD } from './drafts.ts';
import { buildFileAddress } from './file-address.ts';
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

/** Responds with data for a script. */
export const buildData = (data: object) =>
  new Response(JSON.stringify(data), {
    headers: { ...CONSOLE_HEADERS, 'content-type': 'application/json; charset=utf-8' },
  });

/** What a button of the form of a file asks for. */
export type AskedChange =
  | {
      readonly kind:
        | 'save'
        | 'check'
        | 'preview'
        | 'blocks'
        | 'open'
        | 'compare'
        | 'duplicate'
        | StateWish['kind'];
    }
  /** Saves the text in place of another one that was shown. */
  | { readonly kind: 'overwrite'; readonly replaced: string }
  | { readonly kind: 'restore'; readonly version: number; readonly replaced: string }
  /** Shows the form again with what `look` says of its text. */
  | { readonly kind: 'look'; readonly look: (text: string) => Promise<{ message: string; isError: boolean }> }
  | { readonly kind: 'list'; readonly operation: AskedOperation };

/** A posted form of a file, with the file as it is. */
type PostedFile = ReturnType<typeof readPosted> & { readonly files: ContentFiles };

/** Reads a posted form of a file. `replaced`: the hash of another text that was shown, in whose place it is saved. */
export function readPosted(site: ConsoleSite, form: WrittenFields, request: ViewRequest, replaced?: string) {
  const file = request.rest.join('/');
  const { files } = site.platform.content;
  /** Null: there is no such file. */
  const current = files && readCurrent(files, file);
  const old = current?.text ?? '';
  const base = restoreBreaks(form['draft'] ?? old, old);
  // The file has what this form began with, or what was kept of it.
  const isOwn =
    current !== null &&
    (current.hash === form['kept'] || (form['draft'] !== undefined && current.text === base));
  /** Hash of the file that the form was opened with; empty for a new file. */
  const opened = replaced ?? (isOwn ? current.hash : (form['opened'] ?? '').trim());
  /** Whether the text is known that the fields were built from: a form whose file is unchanged need not send it. */
  const hasBase = (form['draft'] ?? form['text']) !== undefined || opened === current?.hash;
  return { file, form, request, current, opened, base, hasBase };
}

/** Takes over the fields of a posted form, and saves the file when it was asked for. */
export async function changeContentFile(
  site: ConsoleSite,
  form: WrittenFields,
  request: ViewRequest,
  asked: AskedChange,
): Promise<ActionResult> {
  const { files } = site.platform.content;
  const read = readPosted(site, form, request, 'replaced' in asked ? asked.replaced : undefined);
  const { file, current, base } = read;
  if (files === null) return buildFailure(buildFileAddress(file), READ_ONLY_BUILD);
  const posted = { ...read, files };
  const operation = asked.kind === 'list' ? asked.operation : null;
  const edited =
    asked.kind === 'restore'
      ? await readVersion(site, file, asked.version, current)
      : planForm(file, { base, current: current?.text ?? '' }, form, operation);
  if ((asked.kind === 'preview' || asked.kind === 'blocks') && site.previews !== null)
    return site.previews.respond(file, 'problem' in edited ? base : edited.text, asked.kind === 'blocks');
  if ('problem' in edited) {
    const { path, problem: reason } = edited;
    const problems = [{ file, field: '', reason, path }];
    return show(posted, base, 422, `${NOTHING} ${reason}.`, { problems });
  }
  if (asked.kind === 'save' || asked.kind === 'overwrite') {
    const noted = noteUpdate(file, edited.text, form, readPlanTime(site));
    return 'problem' in noted
      ? show(posted, edited.text, 422, `${NOTHING} ${noted.problem}`)
      : save(site, posted, noted.text, null);
  }
  if (asked.kind === 'restore') {
    const { version } = asked;
    return save(site, posted, edited.text, await describeBack(site, posted, version), version);
  }
  const wish = readStateWish(asked.kind, form);
  if (wish === null) return showUnsaved(site, posted, edited, asked);
  const stated = planState(file, edited.text, wish, readPlanTime(site));
  if ('problem' in stated) return show(posted, edited.text, 422, `${NOTHING} ${stated.problem}`);
  const fault = findUnpublishable(file, current?.text ?? null, stated.text, readSaving(site));
  return fault === null
    ? save(site, posted, stated.text, stated.message)
    : show(posted, edited.text, 422, `${NOTHING} ${fault}`);
}

async function readVersion(
  site: ConsoleSite,
  file: string,
  version: number,
  current: ContentText | null,
): Promise<FormPlan | FormRefusal> {
  const text = await site.content.versions.readText(file, version);
  if (text === null) return { problem: 'There is no such version any more', path: [] };
  // What was removed comes back unseen.
  const draft = () => (hasDrafts(file) ? editFront(file, text, [buildDraftEdit(file)]) : { text });
  const kept = current === null ? draft() : keepState(file, text, current.text);
  return 'problem' in kept ? { ...kept, path: [] } : kept;
}

/** The state that a button asks for; null for every other button. */
function readStateWish(kind: AskedChange['kind'], form: WrittenFields): StateWish | null {
  if (kind === 'publish') return { kind, keepsDate: form['keep-date'] === 'yes' };
  if (kind === 'schedule') return { kind, at: (form['publish-at'] ?? '').trim() };
  return kind === 'take-down' ? { kind } : null;
}

/** Shows a form again, with a text that is not saved. */
const show = (
  { opened }: PostedFile,
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

/** Shows a form beside the file that is there instead of the one that was opened. */
const showOther = (posted: PostedFile, text: string, other: ContentText | null, saved: string) =>
  other === null
    ? show(posted, text, 409, `${saved} ${REMOVED_MEANWHILE}`, { opened: '' })
    : show(posted, text, 409, `${saved} ${CHANGED_MEANWHILE}`, { current: other });

/** Does what saves nothing of a text. */
async function showUnsaved(
  site: ConsoleSite,
  posted: PostedFile,
  { text, ...place }: FormPlan,
  asked: AskedChange,
): Promise<ActionResult> {
  const { file, files, request, current, opened } = posted;
  if (asked.kind === 'duplicate') return duplicatePiece(site, file, text, request.viewer);
  if (asked.kind === 'look') {
    const { message, isError } = await asked.look(text);
    return { ...show(posted, text, 200, message), isError };
  }
  if (asked.kind === 'compare' && (current?.hash ?? '') !== opened)
    return showOther(posted, text, current, NOT_SAVED);
  if (asked.kind === 'check') {
    const problems = files.check(file, text, site.settings.ARTICLE_SOURCE === 'files');
    const found = problems.length === 0 ? 'No problem was found.' : `${countProblems(problems)} found.`;
    return show(posted, text, 200, `${found} ${NOT_SAVED}`, { problems });
  }
  // Without a form there is nothing that a button could move.
  if (asked.kind === 'list' && place.at !== undefined)
    return show(posted, text, 200, `${DONE[asked.operation.kind]} ${NOT_SAVED}`, place);
  // Another part of the form is opened without a message.
  return show(posted, text, 200, asked.kind === 'open' ? '' : NOT_SAVED, place);
}

const DONE = { move: 'Moved.', copy: 'Duplicated.', remove: 'Removed.', add: 'Added.' } as const;

/** Saves a text. `done` says what was done; null: that it was saved. `version`: the one that is put back. */
async function save(
  site: ConsoleSite,
  posted: PostedFile,
  text: string,
  done: string | null,
  version?: number,
): Promise<ActionResult> {
  const { file, form, request, current } = posted;
  const texts = current === null ? [text] : [current.text, text];
  const refused = findPublishProblem(request.viewer, file, texts);
  if (refused !== null) return show(posted, text, 403, `${NOTHING} ${refused}`);
  const payee = isAllowed(request.viewer, 'manage') ? null : findNewPayee(site, file, text);
  if (payee !== null && form['payee'] !== payee.hash)
    return show(posted, text, 409, `${NOTHING} ${CONFIRM_PAYEE}`, { payee });
  const location = keepView(file, request.parameters, form);
  const dropOwn = () => dropSaved(site, posted, text).catch(() => undefined);
  // Sent again after a response that was lost.
  if (current?.text === text && current.hash !== posted.opened) {
    await dropOwn();
    return { location, message: ALREADY_SAVED, isError: false, note: '' };
  }
  const { saved, freed } = saveFile(site, posted, text);
  if (saved.outcome === 'changed') return showOther(posted, text, saved.current, NOTHING);
  if (saved.outcome === 'failed') return show(posted, text, 503, saved.reason);
  if (saved.outcome === 'refused') return show(posted, text, 422, `${NOTHING} ${saved.reason}`);
  if (saved.outcome === 'invalid') {
    const { problems } = saved;
    const found = `${countProblems(problems)} found, named below.`;
    return show(posted, text, 422, `${NOTHING} ${found}`, { problems });
  }
  const note = await noteSaved(site, file, { before: current, text, viewer: request.viewer, version });
  await dropOwn();
  const message = findUnseen(site, file) ?? done ?? describeSaved(site, file, text);
  return { location, message: message + freed + note, isError: false, note: '' };
}

/** Removes the working copy of the operator whose form was saved, unless another device or page has written it. */
async function dropSaved(
  { content: { versions } }: ConsoleSite,
  { file, form, request }: PostedFile,
  text: string,
): Promise<void> {
  const own = (await versions.readCopies(file)).find(({ operator }) => operator === request.viewer.id);
  if (own === undefined) return;
  const isSeen = own.page === form['page'] || own.text === text || hashText(own.text) === form['kept'];
  if (isSeen) await versions.removeCopy(file, request.viewer.id);
}

/** Who else would be paid if visitors saw a text of a partner; null: nobody else. */
function findNewPayee({ content }: ConsoleSite, file: string, text: string): PayeeChange | null {
  const parsed = file.startsWith('partners/') ? parseYaml(text) : null;
  if (parsed === null || 'problem' in parsed) return null;
  const { data: partner } = partnerSchema.safeParse(parsed.value);
  // What is wrong is not saved.
  if (partner === undefined) return null;
  const shown = content.read().partners.get(partner.key);
  return findPayeeChange(partner, shown && describePayee(shown));
}

/** Saves a file. A piece that visitors see again at its address ends the redirects from it; `freed` says so. */
function saveFile(
  site: ConsoleSite,
  { file, files, opened, request }: PostedFile,
  text: string,
): { readonly saved: SavedContent; readonly freed: string } {
  const before = opened === '' ? null : opened;
  const saving = readSaving(site, request.viewer);
  const piece = isDraft(file, text) ? null : findOwnAddress(site, file);
  const own = piece === null ? [] : planOwnAddress(files.readRedirects(), listOwnPaths(piece, text));
  if (piece === null || own.length === 0) return { saved: files.save(file, text, before, saving), freed: '' };
  const saved = files.saveTogether([{ file, text, opened: before }, ...own], saving);
  const freed = ` The redirect from ${piece.path} was removed, because the page is there again.`;
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

function describeSaved(site: ConsoleSite, file: string, text: string): string {
  const { state } = readPieceState(file, text, readPlanTime(site)) ?? {};
  if (state === 'draft') return 'Saved. It is a draft, so visitors do not see it.';
  return state === 'scheduled' ? 'Saved. Visitors see it at its time.' : 'Saved. Visitors see it now.';
}
