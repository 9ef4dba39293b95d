import { Piece } from '../../content-files/edit/piece.ts';
import { planForm, type WrittenFields } from '../../content-files/edit/plan-form.ts';
import { hashText } from '../../content-files/parse-yaml.ts';
import { getLocalDay, getLocalMinute } from '../../core/commissions/local-time.ts';
import type { ConsoleViewer } from '../../core/console/capabilities.ts';
import { stampCopy, type WorkingCopy } from '../../stores/content-versions.ts';
import type { ActionResult } from '../actions.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { buildData } from '../http.ts';
import { formatTime } from '../reports/format.ts';
import { findPublishProblem } from './drafts.ts';
import { keepView, readCurrent, readPosted, showText } from './edit-file.ts';
import { buildFileAddress } from './file-address.ts';
import { noteSaved } from './note-saved.ts';
import { readSaving } from './written-files.ts';

/** Larger than any content file. */
const MAX_TEXT = 2_000_000;
/** A browser that has a piece open looks every 20 seconds. */
const OPEN_MS = 50_000;
/** A draft is saved when nothing was written for so long. */
const QUIET_MS = 600_000;

/** Stores what an operator is writing, and responds to its script, or without one with the form. */
export async function keepCopy(
  site: ConsoleSite,
  form: WrittenFields,
  request: ViewRequest,
): Promise<ActionResult> {
  const posted = await readPosted(site, form, request);
  const { file, current, opened, base, hasBase } = posted;
  const { viewer, parameters } = request;
  const { page = '', number = '', follows = '' } = form;
  const refuse = (problem: string, written = base): ActionResult =>
    page === '' ? showText(posted, written, 409, `Not saved: ${problem}.`) : buildData({ problem });
  if (!hasBase) return buildData({ needsBase: true });
  const { versions } = site.content;
  const before = (await versions.readCopies(file)).find(({ operator }) => operator === viewer.id);
  const edited = planForm(file, { base, current: current?.text ?? '' }, form);
  if ('problem' in edited) return refuse(edited.problem);
  const { text } = edited;
  if (current === null && before === undefined) return refuse('the file is not on the server any more', text);
  if (text.length > MAX_TEXT) return refuse('the text is too long', text);
  const isSame = before?.text === text;
  const copy = {
    file,
    operator: viewer.id,
    name: 'name' in viewer ? viewer.name : '',
    base: opened,
    text,
    page: page.slice(0, 60) || site.newId(),
    number: /^\d{1,9}$/.test(number) ? Number(number) : 0,
    place: isSame ? before.place : describePlace(file, before?.text ?? current?.text ?? '', text),
    savedAt: site.clock.now(),
  };
  // Without scripts, the form has the hash of the text that it was opened with.
  const isSeen = before !== undefined && (isSame || hashText(before.text) === form['kept']);
  const kept = await versions.keepCopy(copy, page === '' && isSeen ? stampCopy(before) : follows);
  if (kept === null) return refuse('you have too much text that is not saved', text);
  if (page === '') {
    if (kept.text !== text)
      return refuse(
        'another tab or device has saved your text meanwhile. Compare it, or save this one',
        text,
      );
    const message = 'Saved. Visitors see it after the update.';
    return { location: keepView(file, parameters, form), message, isError: false, note: '' };
  }
  return buildData({
    ...describeKept(site, kept, current?.text ?? null),
    others: await listOtherWriters(site, file, viewer),
    isElsewhere: kept.page !== copy.page,
    isChanged: opened !== (current?.hash ?? ''),
  });
}

/** What a page shows of a working copy. `text`: that of the file; null: it was removed. */
export function describeKept(site: ConsoleSite, copy: WorkingCopy, text: string | null) {
  const { file } = copy;
  const isPublic = text !== null && !new Piece(file, text).isDraft;
  const time = formatMoment(site, copy.savedAt);
  return {
    time,
    /** Whether it differs from the file. */
    isUnsaved: copy.text !== text,
    said: copy.text === text ? 'No unsaved changes.' : `Saved ${time}${isPublic ? ', not public' : ''}.`,
    stamp: stampCopy(copy),
    hash: hashText(copy.text),
  };
}

/** `10:42` today, with the day before. */
function formatMoment({ clock, settings: { TIME_ZONE } }: ConsoleSite, time: number): string {
  const isToday = getLocalDay(time, TIME_ZONE) === getLocalDay(clock.now(), TIME_ZONE);
  return isToday ? getLocalMinute(time, TIME_ZONE).slice(11) : formatTime(time, TIME_ZONE);
}

/** The heading above the first difference between two texts; without one, the first words there. */
function describePlace(file: string, before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let line = 0;
  while (line < now.length && old[line] === now[line]) line += 1;
  const [body, above] = [file.endsWith('.md') ? now.indexOf('---', 1) : -1, now.slice(0, line + 1)];
  if (line < body) return 'its title or settings';
  const heading = body === -1 ? undefined : above.slice(body).findLast((one) => /^#{1,6} /.test(one));
  const words = (heading ?? above.at(-1) ?? '').replace(/^[#\s>*-]+/, '').trim();
  return words === '' ? 'it' : `“${words.length > 50 ? `${words.slice(0, 49)}…` : words}”`;
}

/** Notes that an operator has a file open, and lists who else has, or has written in it and not saved. */
export async function listOtherWriters(site: ConsoleSite, file: string, viewer: ConsoleViewer) {
  const now = site.clock.now();
  const { openFiles } = site;
  if (viewer.kind === 'operator')
    openFiles.set(`${viewer.id} ${file}`, { file, operator: viewer.id, name: viewer.name, at: now });
  for (const [key, { at }] of openFiles) if (now - at > OPEN_MS) openFiles.delete(key);
  const current = site.platform.content.files && readCurrent(site.platform.content.files, file);
  const known = new Set((await site.operators.accounts.readOperators()).map(({ id }) => id));
  const copies = (await site.content.versions.readCopies(file)).filter(
    ({ operator, text }) => operator !== viewer.id && text !== current?.text,
  );
  const isOther = (one: { readonly file: string; readonly operator: string }) =>
    one.file === file &&
    one.operator !== viewer.id &&
    known.has(one.operator) &&
    copies.every(({ operator }) => operator !== one.operator);
  return [
    ...copies.map(({ operator, name, place, savedAt }) => ({
      text: `${name}${known.has(operator) ? '' : ', who was removed,'} changed ${place} at ${formatMoment(site, savedAt)}`,
      href: buildFileAddress(file, { copy: operator }),
    })),
    ...[...openFiles.values()].filter(isOther).map(({ name }) => ({ text: `${name} has it open`, href: '' })),
  ];
}

/** Whether an operator who has written something is not among those of the site any more. */
export const isRemoved = async (site: ConsoleSite, id: string) =>
  (await site.operators.accounts.readOperators()).every((one) => one.id !== id);

/** Removes the working copy of an operator: one's own, or that `from` an operator who was removed. */
export async function dropCopy(site: ConsoleSite, { from = '' }: WrittenFields, request: ViewRequest) {
  const { rest, viewer } = request;
  const file = rest.join('/');
  const isOther = from !== '' && (await isRemoved(site, from));
  await site.content.versions.removeCopy(file, isOther ? from : viewer.id);
  const message = isOther ? 'Discarded.' : 'Discarded: this is the text of the file.';
  return { location: buildFileAddress(file), message, isError: false, note: '' };
}

/** Gives an operator without a working copy that of another one, who keeps it too. */
export async function takeCopy(site: ConsoleSite, { from = '' }: WrittenFields, request: ViewRequest) {
  const { rest, viewer } = request;
  const file = rest.join('/');
  const { versions } = site.content;
  const location = buildFileAddress(file);
  const other = (await versions.readCopies(file)).find(({ operator }) => operator === from);
  if (other === undefined || viewer.kind !== 'operator')
    return { location, message: 'That text was saved or discarded meanwhile.', isError: true };
  const own = { ...other, operator: viewer.id, name: viewer.name, page: `from ${from}` };
  const kept = await versions.keepCopy(own, '');
  if (kept?.text === other.text && (await isRemoved(site, from))) await versions.removeCopy(file, from);
  return kept?.text === other.text
    ? { location, message: `You go on with the text of ${other.name}.`, isError: false, note: '' }
    : { location, message: 'You have a text of your own: save or discard it first.', isError: true };
}

/** Creates the job that saves drafts in which nothing was written for ten minutes, and forgets copies that are saved. */
export function createDraftJob(site: ConsoleSite): () => Promise<void> {
  // What is invalid is tried once.
  let tried: ReadonlySet<string> = new Set();
  return async () => {
    const { files } = site.platform.content;
    if (files === null || !site.operators.accounts.exists()) return;
    const before = site.clock.now() - QUIET_MS;
    const left = (await site.content.versions.readCopies()).filter(({ savedAt }) => savedAt <= before);
    const known = tried;
    tried = new Set(left.map((copy) => `${copy.file} ${stampCopy(copy)}`));
    for (const copy of left)
      if (!known.has(`${copy.file} ${stampCopy(copy)}`)) await saveLeft(site, files, copy);
  };
}

async function saveLeft(
  site: ConsoleSite,
  files: NonNullable<ConsoleSite['platform']['content']['files']>,
  { file, operator: id, base, text, savedAt }: WorkingCopy,
): Promise<void> {
  const current = readCurrent(files, file);
  if (current === null) return;
  if (current.text !== text) {
    const isDraft = [current.text, text].every((one) => new Piece(file, one).isDraft);
    if (current.hash !== base || !isDraft) return;
    const operator = (await site.operators.accounts.readOperators()).find((one) => one.id === id);
    const viewer = operator && ({ ...operator, kind: 'operator' } as const);
    if (viewer === undefined || findPublishProblem(viewer, file, [current.text, text]) !== null) return;
    if (files.save(file, text, base, readSaving(site)).outcome !== 'saved') return;
    await noteSaved(site, file, { before: current, text, viewer });
  }
  await site.content.versions.removeCopy(file, id, savedAt);
}
