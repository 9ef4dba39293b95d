import type { ContentFiles } from '../../content-files/content-files.ts';
import type { Piece, PlanRefusal } from '../../content-files/edit/piece.ts';
import {
  findPartnerNetwork,
  PIECE_KINDS,
  type PieceFile,
  type PieceKind,
  parsePattern,
  planCopy,
  planFirstPartner,
  planPiece,
} from '../../content-files/edit/plan-piece.ts';
import { findKeyOf, isOfKind } from '../../content-files/kinds.ts';
import { nameFirstTask, sendsMessages } from '../../core/commissions/networks/network.schema.ts';
import { type ConsoleViewer, isAllowed } from '../../core/console/capabilities.ts';
import { isFoundByLabel } from '../../core/outbound/labels.ts';
import { findCode } from '../../core/pages/drafts.ts';
import { type ActionOutcome, buildFailure, type ConsoleSite, type ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { findPublishProblem, READ_ONLY_BUILD } from './drafts.ts';
import { buildFileAddress } from './file-address.ts';
import { listNamed } from './list-choices.ts';
import { noteSaved } from './note-saved.ts';
import { readSaving } from './written-files.ts';

/** The part of the address that is no file: the form of a new piece. */
export const NEW_PIECE = 'new';

const parseKind = (text: string): PieceKind => PIECE_KINDS.find((kind) => kind === text) ?? 'article';

/** Reads the form of a new piece. What the address has comes back after a form that was refused. */
export async function readNewPiece(site: ConsoleSite, { parameters, viewer }: ViewRequest) {
  const { files } = site.platform.content;
  const read = (name: string) => (parameters.get(name) ?? '').slice(0, MAX_TEXT);
  return {
    kind: 'new' as const,
    piece: parseKind(read('kind')),
    pattern: parsePattern(read('pattern')),
    ...readTyped(read),
    networks: listNamed(site).get('network') ?? [],
    /** What is known of the chosen network. */
    known: site.content.read().networks.get(read('network')) ?? null,
    /** Keys that a draft of a roundup or a duel can name. */
    products: [...site.content.read().products.keys()],
    readOnly:
      files === null
        ? READ_ONLY_BUILD
        : isAllowed(viewer, 'content')
          ? await files.findWriteProblem()
          : 'You may look at content, but not edit it.',
  };
}

const MAX_TEXT = 500;

/** What is typed into the form, and comes back with its address after it was refused. */
const readTyped = (read: (name: 'title' | 'link' | 'shop' | 'role' | 'network' | 'parameter') => string) => ({
  title: read('title'),
  link: read('link'),
  shop: read('shop'),
  role: read('role'),
  network: read('network'),
  parameter: read('parameter'),
});

/** Creates the file of a new piece, and opens its form. */
export async function createPiece(
  site: ConsoleSite,
  form: Readonly<
    Record<'kind' | 'pattern' | 'title' | 'link' | 'shop' | 'role' | 'bio' | 'network' | 'parameter', string>
  >,
  viewer: ConsoleViewer,
): Promise<ActionOutcome> {
  const read = (name: keyof typeof form) => form[name].replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT);
  const kind = parseKind(read('kind'));
  const extra = { kind, pattern: read('pattern'), ...readTyped(read) };
  const location = buildConsoleAddress('content', {}, { rest: [NEW_PIECE], extra });
  const { files } = site.platform.content;
  if (files === null) return refuse(location, READ_ONLY_BUILD);
  const shop = /^[\w-]+(\.[\w-]+)+/.test(extra.shop) ? `https://${extra.shop}` : extra.shop;
  if (shop !== '' && URL.parse(shop)?.protocol !== 'https:')
    return refuse(location, 'The merchant’s own site has to be an address such as https://www.example.com.');
  const wish = { ...extra, shop, pattern: parsePattern(extra.pattern), bio: form.bio };
  const piece = planPiece(site.content.read(), listTaken(files), wish, site.clock.now());
  return saveNew(site, files, viewer, { piece, location }, ({ isDraft }) =>
    isDraft
      ? 'Created as a draft: visitors do not see it yet. Replace its texts, then publish it.'
      : kind === 'partner'
        ? describePartner(site, wish)
        : 'Created. Visitors see it now.',
  );
}

/** What was read from the link of a new partner. */
function describePartner(
  site: ConsoleSite,
  wish: { link: string; network: string; parameter: string },
): string {
  const content = site.content.read();
  const url = new URL(wish.link);
  const code = findCode(url);
  const { network, subId } = findPartnerNetwork(content, wish);
  const file = content.networks.get(network);
  const own = isFoundByLabel({ subId, terms: { network } }, content.networks)
    ? `${file?.title ?? network} reports by tracking id.`
    : subId === null || subId.parameter === code?.[0]
      ? 'Clicks will count, but commissions will not find their clicks: no parameter for an id of your own is known.'
      : `We add a number of our own in ${subId.parameter}, so that a commission finds its click.`;
  const carried = code === undefined ? 'the code in their path' : `your code “${code[1]}” in ${code[0]}`;
  const next = sendsMessages(file)
    ? 'Give the network the line under How its commissions arrive'
    : nameFirstTask(file);
  return `Created. Links to ${url.hostname} carry ${carried}. ${own} ${next}.`;
}

/** Creates a draft that is a copy of a piece. */
export async function duplicatePiece(
  site: ConsoleSite,
  original: Piece,
  viewer: ConsoleViewer,
): Promise<ActionOutcome> {
  const location = buildFileAddress(original.file);
  const { files } = site.platform.content;
  if (files === null) return refuse(location, 'The file cannot be copied.');
  const piece = planCopy(listTaken(files), original);
  const message = 'Duplicated: this is the copy, a draft that visitors do not see.';
  return saveNew(site, files, viewer, { piece, location }, () => message);
}

const listTaken = (files: ContentFiles) => new Set(files.list().map(({ file }) => file));

const refuse = (location: string, reason: string) => buildFailure(location, `Nothing was created. ${reason}`);

/** Saves a planned file, and opens its form; `location` is that of the form that is shown again when it cannot. */
async function saveNew(
  site: ConsoleSite,
  files: ContentFiles,
  viewer: ConsoleViewer,
  { piece, location }: { readonly piece: PieceFile | PlanRefusal; readonly location: string },
  explain: (piece: PieceFile) => string,
): Promise<ActionOutcome> {
  if ('problem' in piece) return refuse(location, piece.problem);
  const { file, text } = piece;
  const refused = findPublishProblem(viewer, file, [text]);
  if (refused !== null) return refuse(location, refused);
  const saving = readSaving(site, viewer);
  if (isOfKind(file, 'article') && !saving.hasArticleFiles)
    return refuse(location, 'The articles of this site come from another system: write them there.');
  const content = site.content.read();
  const first = isOfKind(file, 'partner') ? planFirstPartner(content, piece, (own) => files.read(own)) : null;
  const together = first && files.saveTogether(first, saving);
  // A product of a site that began with an example still needs the placeholder.
  const saved =
    together === null || together.outcome === 'invalid' ? files.save(file, text, null, saving) : together;
  if (saved.outcome === 'failed' || saved.outcome === 'refused') return refuse(location, saved.reason);
  if (saved.outcome === 'changed')
    return refuse(location, `content/${file} is there already: choose another title.`);
  if (saved.outcome === 'invalid') {
    const [first] = saved.problems;
    return refuse(location, `${[first?.field, first?.reason].filter(Boolean).join(': ')}.`);
  }
  if (first !== null) await site.content.applyEdits(first.map((change) => change.file));
  const note = await noteSaved(site, file, { before: null, text, viewer });
  const partner = findKeyOf('partner', file);
  // Who may confirm who is paid has just typed it.
  const isPayee = partner !== null && isAllowed(viewer, 'manage');
  const unconfirmed = isPayee
    ? await site.payees.confirm(partner).then(
        () => '',
        () => ' Who is paid could not be noted as confirmed: do so in its form.',
      )
    : '';
  // The line for its network is shown at once.
  const opened = buildFileAddress(file, partner === null ? {} : { show: partner });
  const isNamed = first?.some((change) => isOfKind(change.file, 'assessment')) === true;
  const named = isNamed ? ' Where the assessment named the example, it names this partner now.' : '';
  const message = explain(piece) + note + named + unconfirmed;
  return { location: opened, message, isError: false, note: '' };
}
