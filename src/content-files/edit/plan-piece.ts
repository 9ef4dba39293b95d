import { isExamplePartner } from '../../core/outbound/partner.ts';
import type { Content } from '../../core/pages/content.ts';
import {
  buildArticleDraft,
  buildAuthorFile,
  buildPartnerFile,
  buildPieceDraft,
  PAGE_KINDS,
  type PageKind,
  type PartnerNetwork,
} from '../../core/pages/drafts.ts';
import { buildSlug } from '../../core/text/slug.ts';
import type { ContentText, FileChange } from '../content-files.ts';
import { buildFilePath, findKind, nameOfFile } from '../kinds.ts';
import type { Piece, PlanRefusal } from './piece.ts';

/** What can be created. */
export const PIECE_KINDS = ['article', 'page', 'product', 'partner', 'author'] as const;
export type PieceKind = (typeof PIECE_KINDS)[number];

const MAX_COPIES = 50;

/** A file that is to be created. */
export interface PieceFile {
  readonly file: string;
  readonly text: string;
  readonly isDraft: boolean;
}

/** What a new piece is about, as an operator has written it. */
export interface PieceWish
  extends Readonly<Record<'title' | 'link' | 'shop' | 'role' | 'bio' | 'network' | 'parameter', string>> {
  readonly kind: PieceKind;
  readonly pattern: PageKind;
}

/** Reads the name of a pattern of a new page; the usual one for an unknown name. */
export const parsePattern = (text: string): PageKind => PAGE_KINDS.find((kind) => kind === text) ?? 'landing';

/** Plans the file of a new piece under the first name that none of the `taken` files has. `now`: ms since 1970. */
export function planPiece(
  content: Content,
  taken: ReadonlySet<string>,
  wish: PieceWish,
  now: number,
): PieceFile | PlanRefusal {
  const slug = buildFileName(wish.title);
  return slug === ''
    ? {
        problem: 'The title needs a letter or a digit of the Latin alphabet: the address is built from it.',
      }
    : findFreeName(taken, slug, (name) => buildPieceFile(content, wish, name, now));
}

/**
 * Plans what the first partner of a new site changes: it takes the place of the placeholder, which goes. Whether it is the main
 * partner is for the operator to say. Null: there is no placeholder. `read` returns a file as it is.
 */
export function planFirstPartner(
  { site, partners }: Content,
  { file, text }: PieceFile,
  read: (file: string) => ContentText | { readonly problem: string },
): readonly FileChange[] | null {
  const example = [...partners.values()].find(isExamplePartner);
  if (example === undefined || !['', example.key].includes(site.promotedPartner)) return null;
  const key = nameOfFile(file);
  const lead = (own: string, change: (text: string) => string | null): readonly FileChange[] => {
    const found = read(own);
    return 'problem' in found ? [] : [{ file: own, text: change(found.text), opened: found.hash }];
  };
  return [
    { file, text, opened: null },
    ...lead('site.yaml', (own) => own.replace(/^promotedPartner: example$/m, 'promotedPartner: ""')),
    ...lead('assessment.yaml', (own) => own.replace(/^( +partner: )example$/gm, `$1${key}`)),
    ...lead('partners/example.yaml', () => null),
  ];
}

/** Plans a draft that is a copy of a text. */
export function planCopy(taken: ReadonlySet<string>, piece: Piece): PieceFile | PlanRefusal {
  const [kind, name] = [findKind(piece.file), nameOfFile(piece.file)];
  const field = kind?.key === 'product' ? 'name' : 'title';
  if (piece.values === null || kind === null) return { problem: 'The file cannot be copied.' };
  const copy = piece.set({ [field]: `${String(piece.values[field] ?? name)} (copy)`, draft: true });
  if ('problem' in copy) return copy;
  return findFreeName(taken, `${name}-copy`, (slug) => ({
    file: buildFilePath(kind, slug),
    text: copy.text,
    isDraft: true,
  }));
}

/** ASCII alone, so that the name is the same in every file system and address. */
const buildFileName = (title: string) =>
  buildSlug(title)
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9-]/g, '')
    .replace(/-{2,}/g, '-')
    .slice(0, 80)
    .replace(/^-+|-+$/g, '');

function buildPieceFile(
  content: Content,
  wish: PieceWish,
  slug: string,
  now: number,
): PieceFile | PlanRefusal {
  const { kind, pattern, title, link, shop, role, bio } = wish;
  if (kind === 'partner') {
    const key = slug.slice(0, 40).replace(/-+$/, '');
    const chosen = findPartnerNetwork(content, wish);
    const text = buildPartnerFile(key, title, link, content.site.newProducts.currency, chosen, shop);
    return text === null
      ? {
          problem:
            'The link of the program has to begin with https:// and to have your code as a parameter, such as ' +
            'https://www.example.com/pricing?ref=your-code. If your code is in its path, fill in the merchant’s own site.',
        }
      : { file: `partners/${key}.yaml`, text, isDraft: false };
  }
  if (kind === 'author') {
    if (role === '' || bio.trim() === '')
      return { problem: 'An author needs a role and a few sentences about who they are.' };
    const text = buildAuthorFile(title, role, bio.replace(/\r\n?/g, '\n').trim().slice(0, 5_000));
    return { file: `authors/${slug}.yaml`, text, isDraft: false };
  }
  if (kind === 'article') {
    // The desk says where what belongs: nothing of it is in the text.
    const day = new Date(now).toISOString().slice(0, 10);
    const text = buildArticleDraft(title, day, content.site.blog.topics[0]?.name ?? 'Guides');
    const front = text.slice(0, text.lastIndexOf('---\n') + 4).replace(/^(?:#|seo|tags:).*\n/gm, '');
    return { file: `articles/${slug}.md`, text: front, isDraft: true };
  }
  const draft = buildPieceDraft({
    kind,
    title,
    slug,
    pattern,
    day: new Date(now).toISOString().slice(0, 10),
    topic: content.site.blog.topics[0]?.name ?? 'Guides',
    partners: [...content.partners.values()],
    // Those that the title names come first.
    products: [...content.products.values()]
      .map(({ key, name }) => ({ key, at: title.toLowerCase().indexOf(name.toLowerCase()) }))
      .sort((one, other) => (one.at < 0 ? 1e3 : one.at) - (other.at < 0 ? 1e3 : other.at))
      .map(({ key }) => key),
    newProducts: content.site.newProducts,
  });
  return { ...draft, isDraft: true };
}

/** Our number as it is usually written. */
const UUID_LENGTH = 36;

/** The network of a new partner with its parameter for click ids: that of the network, else the one that was typed. */
export function findPartnerNetwork(
  { networks }: Content,
  wish: { readonly network: string; readonly parameter: string },
): PartnerNetwork {
  const network = networks.has(wish.network) ? wish.network : 'generic';
  const link = networks.get(network)?.link;
  const parameter = link?.place === 'path' ? '' : (link?.parameter ?? wish.parameter);
  if (link?.clickIds === 'forbidden') return { network, subId: null, redirect: 'no' };
  if (!/^[\w.-]{1,40}$/.test(parameter)) return { network, subId: null };
  const { maxLength = UUID_LENGTH } = link ?? {};
  return { network, subId: { parameter, maxLength, ...(maxLength < UUID_LENGTH && { encoding: 'hex' }) } };
}

/** The first of `name`, `name-2`, … that no file has, with the file that `build` makes of it. */
function findFreeName(
  taken: ReadonlySet<string>,
  name: string,
  build: (name: string) => PieceFile | PlanRefusal,
): PieceFile | PlanRefusal {
  for (let number = 1; number <= MAX_COPIES; number += 1) {
    const piece = build(number === 1 ? name : `${name}-${number}`);
    if ('problem' in piece || !taken.has(piece.file)) return piece;
  }
  return { problem: `There are ${MAX_COPIES} files called ${name} already: choose another title.` };
}
