import { Piece } from '../../content-files/edit/piece.ts';
import {
  type AddressPlan,
  findFixedReason,
  findPieceAddress,
  getAddressInForce,
  getPathPrefix,
  listFormer,
  listLinkPlaces,
  listTargets,
  type PieceAddress,
  type PlannedContent,
  planDeparture,
  planRename,
} from '../../content-files/edit/plan-address.ts';
import { findOwnRedirect } from '../../content-files/edit/plan-redirects.ts';
import { listNamePlaces, type NamedFile, planRemoval } from '../../content-files/edit/plan-removal.ts';
import { isOfKind } from '../../content-files/kinds.ts';
import type { ContentProblem } from '../../core/pages/content.ts';
import { trimAddress } from '../../core/paths.ts';
import { noteContentChange } from '../activity/note-activity.ts';
import { type ActionOutcome, buildFailure, type ConsoleSite, type ViewRequest } from '../console-site.ts';
import { findPublishProblem, READ_ONLY_BUILD } from './drafts.ts';
import { buildFileAddress } from './file-address.ts';
import { storeVersion } from './note-saved.ts';
import { readPlannedContent, readSaving } from './written-files.ts';

/** The address of the page that a file of this site is; null for files without one. */
export const findOwnAddress = ({ settings }: ConsoleSite, file: string) =>
  findPieceAddress(file, settings.ARTICLE_SOURCE === 'files');

/** Reads what depends on the address of a piece, and what the forms that change it propose. */
export function readPieceAddress(
  site: ConsoleSite,
  piece: PieceAddress,
  text: string,
  parameters: URLSearchParams,
) {
  const planned = readPlannedContent(site);
  const isPublic = new Piece(piece.file, text).isShown(planned);
  const read = (name: string) => (parameters.get(name) ?? '').slice(0, MAX_TEXT);
  return {
    ...piece,
    /** What its path begins with; the rest is its name. */
    prefix: getPathPrefix(piece),
    isPublic,
    /** At which visitors read it. */
    inForce: getAddressInForce(planned, piece),
    /** Why it cannot be renamed, taken down or removed; null when it can. */
    fixed: findFixedReason(piece.path),
    links: listLinkPlaces(planned, piece)
      .filter(({ kind }) => kind !== 'alias')
      .map(({ at, ...link }) => ({ ...link, href: buildFileAddress(link.file, at) })),
    /** Addresses that lead to it. */
    former: [piece.path, getAddressInForce(planned, piece)]
      .filter((one, index, all) => all.indexOf(one) === index)
      .flatMap((one) => listFormer(planned, trimAddress(one))),
    /** Where its own address leads while it is a draft; null: nowhere. */
    leadsTo: findOwnRedirect(planned.redirects, piece.path)?.to ?? null,
    targets: isPublic ? listTargets(planned, piece.path) : [],
    given: {
      name: read('name') || (planned.content.addresses.get(piece.path) ?? piece.key),
      target: read('target'),
      isNone: read('lead') === 'none',
    },
  };
}

const MAX_TEXT = 300;

/** What is done with the address of a page. */
export type AddressChange = 'rename' | 'take-down' | 'remove';

/** Renames a piece, takes it down or removes it, with the redirect from its address and the links to it in one save. */
export async function changePieceAddress(
  site: ConsoleSite,
  piece: PieceAddress,
  change: AddressChange,
  form: Readonly<Record<string, string>>,
  { viewer }: ViewRequest,
): Promise<ActionOutcome> {
  const { files } = site.platform.content;
  const read = (name: string) => (form[name] ?? '').trim().slice(0, MAX_TEXT);
  // Not `to`, which is the end of a period in addresses of the console.
  const given = { name: read('name'), target: read('target'), lead: read('lead') };
  const location = buildFileAddress(piece.file, { view: 'address', ...given });
  const refuse = (problem: string) => buildFailure(location, `Nothing was changed. ${problem}`);
  if (files === null) return refuse(READ_ONLY_BUILD);
  const found = files.read(piece.file);
  if ('problem' in found) return refuse(`content/${piece.file} ${found.problem}.`);
  const planned = readPlannedContent(site);
  const target = given.lead === 'none' ? null : given.target;
  const plan =
    change === 'rename'
      ? planRename(planned, piece, { name: given.name, rewritesLinks: read('links') === 'yes' })
      : planDeparture(planned, piece, { change, target });
  if ('problem' in plan) return refuse(plan.problem);
  return saveChange(site, { piece, change, plan, planned, opened: read('opened'), viewer }, refuse);
}

/** Removes a partner or product, with another one in its place or nothing, in one save. */
export async function removeNamed(
  site: ConsoleSite,
  named: NamedFile,
  form: Readonly<Record<string, string>>,
  { viewer }: ViewRequest,
): Promise<ActionOutcome> {
  const location = buildFileAddress(named.file, { view: 'address' });
  const refuse = (problem: string) => buildFailure(location, `Nothing was changed. ${problem}`);
  if (site.platform.content.files === null) return refuse(READ_ONLY_BUILD);
  const planned = readPlannedContent(site);
  const plan = planRemoval(planned.content, planned.texts, named, form['replacement'] || null);
  if ('problem' in plan) return refuse(plan.problem);
  return saveChange(
    site,
    { piece: named, change: 'remove', plan, planned, opened: form['opened'] ?? '', viewer },
    refuse,
  );
}

/** Reads what names a partner or product, and what can take its place. */
export function readNamed(site: ConsoleSite, named: NamedFile) {
  const { content, texts } = readPlannedContent(site);
  const all = named.kind === 'partner' ? content.partners : content.products;
  return {
    kind: named.kind,
    places: listNamePlaces(texts, named).map((place) => ({
      ...place,
      href: buildFileAddress(place.file, place.at === '' ? {} : { at: place.at }),
    })),
    others: [...all.values()]
      .filter(({ key }) => key !== named.key)
      .map(({ key, name }) => [key, name] as const),
  };
}

/** A plan with what it was made of. */
interface PlannedChange {
  readonly piece: { readonly file: string };
  readonly change: AddressChange;
  readonly plan: AddressPlan;
  readonly planned: PlannedContent;
  readonly opened: string;
  readonly viewer: ViewRequest['viewer'];
}

async function saveChange(
  site: ConsoleSite,
  { piece, change, plan, planned, opened, viewer }: PlannedChange,
  refuse: (problem: string) => ActionOutcome,
): Promise<ActionOutcome> {
  const { files } = site.platform.content;
  if (files === null) return refuse(READ_ONLY_BUILD);
  const changes = plan.changes.map((one) => (one.file === piece.file ? { ...one, opened } : one));
  for (const { file, text } of changes) {
    const both = [planned.texts.get(file)?.text, text].filter((one) => typeof one === 'string');
    // A partner that is removed can be created again with another network.
    if (text === null && isOfKind(file, 'partner')) both.push('');
    const refused = findPublishProblem(viewer, file, both);
    if (refused !== null) return refuse(refused);
  }
  const saved = files.saveTogether(changes, readSaving(site, viewer));
  if (saved.outcome === 'failed') return refuse(saved.reason);
  if (saved.outcome === 'refused') return refuse(`content/${saved.file}: ${saved.reason}`);
  if (saved.outcome === 'changed')
    return refuse(`content/${saved.file} was changed meanwhile: look at it, then try again.`);
  if (saved.outcome === 'invalid') return refuse(describeInvalid(saved.problems));
  const stored = await storeVersions(site, piece, plan, planned.texts, viewer);
  const location = buildFileAddress(plan.file, change === 'rename' ? { view: 'address' } : {});
  const named = changes.map(({ file }) => file);
  await noteContentChange(site, viewer, named, plan.note, location);
  site.log.info('address of content changed', { file: piece.file, change, operator: viewer.id });
  return { location, message: plan.message + stored, isError: false, note: '' };
}

function describeInvalid([first, ...rest]: readonly ContentProblem[]): string {
  if (first === undefined) return '';
  const place = [`content/${first.file}`, first.field].filter(Boolean).join(', ');
  const more = rest.length === 0 ? '' : ` ${rest.length} more would be wrong.`;
  return `It would make something wrong: ${place}: ${first.reason}.${more}`;
}

/** Stores the versions of what was changed; returns what the operator has to know of it, after a space. */
async function storeVersions(
  site: ConsoleSite,
  piece: { readonly file: string },
  plan: AddressPlan,
  texts: PlannedContent['texts'],
  viewer: ViewRequest['viewer'],
): Promise<string> {
  const before = texts.get(piece.file) ?? null;
  let note = '';
  if (plan.file !== piece.file) {
    note += await storeVersion(site, piece.file, { before, text: null, viewer });
    try {
      await site.content.versions.move(piece.file, plan.file);
    } catch (error) {
      site.log.error('the versions of a renamed file could not be moved', { file: piece.file, error });
      note = ` Its earlier versions are still at content/${piece.file}: the database of the console cannot be written.`;
    }
  }
  for (const { file, text } of plan.changes) {
    if (file.endsWith('.csv') || (text === null && file !== plan.file)) continue;
    note ||= await storeVersion(site, file, { before: texts.get(file) ?? null, text, viewer });
  }
  return note;
}
