import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { listArticleSlugs } from '../content-files/articles/read-article-files.ts';
import { ContentFiles } from '../content-files/content-files.ts';
import { editYaml } from '../content-files/edit-yaml.ts';
import { ImageThread, ImageThreadError } from '../content-files/image-thread.ts';
import { type ContentJournal, JournalError } from '../content-files/journal.ts';
import { readRedirectFiles } from '../content-files/read-redirects.ts';
import { checkSvg } from '../content-files/svg.ts';
import type { Content } from '../core/pages/content.ts';
import type { RedirectLine } from '../core/pages/redirects/redirects.ts';
import { buildDefaultPath, isFormerPath, parseRedirectPath } from '../core/paths.ts';
import { explainWriteFailure } from '../stores/disk.ts';
import {
  type Conversion,
  type ConvertedPost,
  convertPost,
  createFindings,
  findImage,
  IMAGE_FOLDER,
  nameImage,
  OTHER_FILE,
} from './convert-post.ts';
import { downloadMedia, type MediaDownload } from './download-media.ts';
import { createNote, type FormerItem, type FormerSite, MoveInError, type MoveInNote } from './former-item.ts';
import { FormerRedirects, type FoundPost, readPresent, settleAddresses } from './former-redirects.ts';
import type { FormerSettings } from './former-settings.ts';
import type { PluginLink } from './link-plugins.ts';
import { type Media, openMedia, parseMediaPath } from './media.ts';
import {
  type BuiltPartner,
  buildPartner,
  isUnrecorded,
  type LinkGroup,
  type PartnerDecision,
} from './merchants.ts';
import { type FileOutcome, type MovedFile, MovedFiles } from './moved-files.ts';
import { buildProducts, type NamelessProduct } from './product-boxes.ts';
import { findSample, type SamplePlan } from './sample.ts';
import { findOwnPath, followTarget, type SiteScan, scanSite, toAbsolute, toOwnPath } from './scan-site.ts';

/** What a site is moved in from. */
export interface MoveInInput {
  readonly site: FormerSite;
  /** Its redirects are `redirects/imported-NAME.csv`. */
  readonly name: string;
  readonly contentDir: string;
  /** What writes into it. */
  readonly journal: ContentJournal;
  /** Links of plugins that are in no export. */
  readonly links: readonly PluginLink[];
  /** The day of the import, `2026-03-12`. */
  readonly day: string;
  /** What the operator has confirmed. */
  readonly decisions: readonly PartnerDecision[];
  /** Names of products that the operator has given, by number. */
  readonly names: ReadonlyMap<string, string>;
  readonly settings: FormerSettings;
  readonly media: Media | null;
  /** Whether the sample that a site ships with stays beside what moves in. */
  readonly keepsSample: boolean;
  /** How images are downloaded that are in no file; left out: they are not. */
  readonly download?: MediaDownload | undefined;
}

/** A site that is ready to be moved in; nothing is changed yet. */
export interface PreparedMoveIn {
  /** How many things were read and written. */
  readonly counts: Awaited<ReturnType<typeof writeArticles>>['counts'] &
    Readonly<Record<'items' | 'files' | 'redirects', number>>;
  readonly notes: readonly MoveInNote[];
  readonly groups: readonly LinkGroup[];
  /** Products of boxes that need a name. */
  readonly nameless: readonly NamelessProduct[];
  /** How many files of the sample are as they shipped. */
  readonly sample: number;
  /** Why nothing can be written; empty when it can. */
  readonly refusals: readonly string[];
  readonly files: readonly MovedFile[];
  /** Writes everything; throws `MoveInError` when there are refusals. */
  readonly commit: () => void;
  readonly discard: () => void;
}

/** The site that is moved in: what each of the stages knows besides what the one before it has found. */
interface ImportSite extends MoveInInput {
  readonly files: MovedFiles;
  /** The content that is there. */
  readonly content: Content;
  /** Slugs of its articles, and its redirects. */
  readonly articles: readonly string[];
  readonly redirects: readonly RedirectLine[];
  readonly sample: SamplePlan | null;
  readonly note: (kind: MoveInNote['kind'], place: string, text: string) => void;
  readonly addNotes: (notes: readonly MoveInNote[]) => void;
  readonly refuse: (reason: string) => void;
}

/**
 * Reads a former site and prepares its articles, partners and redirects beside the content. Rejects with `MoveInError` when a
 * file cannot be read.
 */
export async function prepareMoveIn(input: MoveInInput): Promise<PreparedMoveIn> {
  const files = new MovedFiles(input.contentDir, input.journal);
  try {
    const notes: MoveInNote[] = [];
    const refusals: string[] = [];
    const site: ImportSite = {
      ...input,
      files,
      content: readPresent(input.contentDir),
      articles: listArticleSlugs(path.join(input.contentDir, 'articles')),
      redirects: readRedirectFiles(input.contentDir, []),
      sample: findSample(input.contentDir),
      note: (kind, place, text) => void notes.push(createNote(kind, place, text)),
      addNotes(more) {
        for (const one of more) notes.push(one);
      },
      refuse: (reason) => void refusals.push(reason),
    };
    const scan = await scanFormer(site);
    const decided = decide(site, scan);
    const images = await openImages(site, scan);
    const { partnerPaths, products } = decided;
    const conversion = { scan, settings: input.settings, partnerPaths, products, ...images };
    const former = new FormerRedirects(input.site, input.settings, scan, site.redirects);
    const articles = await writeArticles(site, conversion, former);
    const redirects = writeRedirects(site, conversion, decided, articles, former);
    allowHosts(site, images, decided, articles);
    return {
      counts: { ...articles.counts, items: scan.items, files: articles.images.size, redirects },
      notes: [...scan.notes, ...notes],
      nameless: decided.nameless,
      sample: site.sample?.shipped.size ?? 0,
      groups: decided.groups,
      refusals,
      files: files.files,
      discard: () => files.discard(),
      commit() {
        if (refusals.length > 0) throw new MoveInError(`Nothing was written.\n${refusals.join('\n')}`);
        files.commit();
      },
    };
  } catch (error) {
    files.discard();
    throw explainFailure(error);
  }
}

/** The files of the sample that are removed or written anew. */
const listCleared = ({ keepsSample, sample }: ImportSite): ReadonlySet<string> =>
  new Set(keepsSample ? [] : sample?.shipped);

/** Reads the former site, and settles which posts keep their addresses. */
async function scanFormer(site: ImportSite): Promise<SiteScan> {
  const { name, files, articles, content, sample, note } = site;
  const cleared = listCleared(site);
  const taken = articles.filter(
    (slug) => !files.isOwn(`articles/${slug}.md`) && !cleared.has(`articles/${slug}.md`),
  );
  const former = { slugs: files.readKeys(`posts ${name}`), paths: files.readKeys(`paths ${name}`) };
  const scan = await scanSite({ ...site, networks: content.networks }, new Set(taken), former);
  for (const slug of scan.gone.filter((slug) => articles.includes(slug) && !taken.includes(slug))) {
    const text = 'its post is in the trash or gone, and it stays as it is: remove it, or keep it as your own';
    note('suggestion', `content/articles/${slug}.md`, text);
  }
  // Of the sample, only files that are not written anew are gone.
  const kept = sample?.build(null, { name: '' }, site.day);
  const gone = new Set([...cleared].filter((file) => !kept?.has(file)));
  settleAddresses(scan, name, { ...site, cleared: gone }, note);
  return scan;
}

/** Decides what becomes of the links to merchants, of products and of the sample. */
function decide(site: ImportSite, scan: SiteScan) {
  const groups = scan.merchants.list(site.decisions);
  const partners = buildPartners(site, groups);
  const partnerPaths = new Map(partners.flatMap(({ paths }) => [...paths]));
  const sample = site.keepsSample ? null : clearSample(site, scan, partners);
  // A partner or a product may take the place of one of the sample.
  writePartners(site, partners);
  const named = nameProducts(site, scan, partnerPaths);
  return {
    groups,
    partnerPaths,
    ...named,
    siteText: sample?.siteText ?? null,
    cleared: sample?.cleared ?? new Set<string>(),
  };
}

/** Writes the products that boxes show, and says what is missing of the others. `paths`: of links to partners. */
function nameProducts(site: ImportSite, scan: SiteScan, paths: ReadonlyMap<string, string>) {
  const { content, links, names, decisions, files, note } = site;
  const cleared = listCleared(site);
  const taken = [...content.products.keys()].filter(
    (key) => !files.isOwn(`products/${key}.yaml`) && !cleared.has(`products/${key}.yaml`),
  );
  const table = new Map(links.flatMap(({ number, name }) => (number === '' ? [] : [[number, name]])));
  const findPath = (href: string) => {
    const own = findOwnPath(scan, href);
    return paths.get(own === null ? href : (scan.pluginTargets.get(own) ?? ''));
  };
  const findName = (key: string) => decisions.find((decision) => decision.key === key)?.name ?? key;
  const { products, built, nameless, waiting } = buildProducts(
    scan.products,
    { given: names, table },
    { findPath, findName },
    { taken: new Set(taken), former: files.readKeys('products') },
  );
  files.recordKeys('products', new Map(built.map(({ number, key }) => [number, key])));
  for (const { number, key, name, text } of built) {
    const outcome = files.add(`products/${key}.yaml`, text);
    if (outcome === 'removed' || outcome === 'taken') products.set(number, { key: null, name });
  }
  const list = (all: readonly string[]) =>
    `${all.slice(0, 20).join('; ')}${all.length > 20 ? ` and ${all.length - 20} more` : ''}`;
  const open = nameless.filter(({ name }) => name === '');
  if (waiting.length > 0)
    note(
      'changed',
      'products',
      `boxes of these are links until their partner is confirmed: ${list(waiting)}`,
    );
  if (open.length > 0) {
    const text = `boxes of these have no name and are links: ${list(open.map(({ number }) => number))}`;
    note('lost', 'products', `${text}; write their names in .import/products.yaml`);
  }
  if (built.length > 0) {
    const text = 'these have a name and a link alone; add a verdict and what is good and what is not';
    note('suggestion', 'products', `${text}: ${list(built.map(({ name }) => name))}`);
  }
  return { products, nameless };
}

/**
 * Takes the sample out, so that the site links to and promotes nothing that shipped. Says what of it was edited and stays, and
 * why it cannot be taken out when an operator's file needs it.
 */
function clearSample(
  { contentDir, day, settings, files, note, refuse, sample }: ImportSite,
  { address, title }: SiteScan,
  partners: readonly BuiltPartner[],
) {
  if (sample === null) return null;
  const { shipped, edited, build } = sample;
  const host = URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : 'New site';
  // As the form for an empty site takes them.
  const [name = '', about = ''] = [60, 100].map((most, at) =>
    (settings.title[at] || title[at] || '').replace(/\s+/g, ' ').trim().slice(0, most),
  );
  const own = { name: name || host, ...(about !== '' && { about }) };
  const next = build(partners[0]?.key ?? null, own, day);
  const gone = [...shipped].filter((file) => !next.has(file));
  for (const file of gone) files.clear(file, null);
  for (const [file, data] of next) files.clear(file, data);
  const texts = new Map<string, string | null>([
    ...gone.filter((file) => /\.(?:yaml|md)$/.test(file)).map((file) => [file, null] as const),
    ...[...next].filter(([file]) => file.endsWith('.yaml')),
    ...partners.map(({ key, text }) => [`partners/${key}.yaml`, text] as const),
  ]);
  const problems = new ContentFiles(contentDir, () => ({ images: new Map(), origin: 'build' })).checkTogether(
    [...texts].map(([file, text]) => ({ file, text, opened: null })),
    true,
  );
  for (const file of edited)
    note(
      'changed',
      `content/${file}`,
      'is of the sample, was edited and stays: remove it unless you need it',
    );
  for (const { file, field, reason } of problems)
    refuse(
      `Without the sample, content/${file} would be wrong: ${field} ${reason}. Correct it, or keep the sample.`,
    );
  return { siteText: next.get('site.yaml') ?? null, cleared: new Set([...gone, 'site.yaml']) };
}

/** Lets the site show images of the former host, in `site.yaml`, when articles have some. `siteText`: its new text, null when it stays. */
function allowHosts(
  { contentDir, content, files, note }: ImportSite,
  { imageHosts }: Pick<Conversion, 'imageHosts'>,
  { siteText }: { readonly siteText: string | null },
  { counts }: { readonly counts: { readonly imagesElsewhere: number } },
): void {
  const allowed = [...imageHosts].every((host) => content.site.imageHosts.includes(host));
  if (counts.imagesElsewhere === 0 || allowed) return;
  const text = siteText ?? readFileSync(path.join(contentDir, 'site.yaml'), 'utf8');
  const edited = editYaml(text, [{ kind: 'set', path: ['imageHosts'], value: [...imageHosts] }]);
  const names = [...imageHosts].join(', ');
  if ('problem' in edited) {
    note('lost', 'images', `add imageHosts: [${names}] to content/site.yaml, which ${edited.problem}`);
    return;
  }
  files.addMerged('site.yaml', edited.text);
  const advice = 'give the uploads with --media before that host is gone';
  note('changed', 'content/site.yaml', `imageHosts lets the site show images of ${names}: ${advice}`);
}

/** What the operator is told of an error that no post is to blame for. */
function explainFailure(error: unknown): Error {
  if (error instanceof MoveInError || error instanceof JournalError) return error;
  if (error instanceof Error && 'code' in error)
    return new MoveInError(explainWriteFailure(error), { cause: error });
  const reason = error instanceof Error ? error.message : String(error);
  return new MoveInError(`The export cannot be read: ${reason}. Nothing was changed.`, { cause: error });
}

/** Opens the images that texts show: downloads them when that is wanted, and converts those that are GIFs. */
async function openImages(
  { site, content, contentDir, download, media: given, files, note }: ImportSite,
  scan: SiteScan,
) {
  const attached = [...scan.shownIds].flatMap((id) => scan.attachments.get(id)?.src ?? []);
  const shown = [...scan.shownImages, ...attached].map((src) => toAbsolute(scan.address, src));
  const host = URL.canParse(scan.address) ? new URL(scan.address).host : '';
  const folder = path.join(contentDir, '.import', 'media');
  // What an earlier import has downloaded stays the site's own, also when the former one is gone.
  const open = async () => given ?? site.media ?? (existsSync(folder) ? await openMedia(folder) : null);
  const media =
    download === undefined
      ? await open()
      : await downloadMedia(
          shown.filter((src) => parseMediaPath(src) !== null),
          host,
          folder,
          download,
          (address, reason) => note('lost', 'images', `${address} ${reason}`),
        );
  const bare = host.replace(/^www\./, '');
  return {
    media,
    gifs: await convertGifs(shown, media, files),
    imageHosts: new Set([...content.site.imageHosts, ...(bare === '' ? [] : [bare, `www.${bare}`])]),
    unreadable: new Map<string, string>(),
    alts: new Map([...scan.attachments.values()].map(({ src, alt }) => [parseMediaPath(src) ?? '', alt])),
  };
}

/** Writes GIFs as the console does with those that are added there: in another format, with one frame. */
async function convertGifs(shown: readonly string[], media: Media | null, files: MovedFiles) {
  const gifs = new Map<string, { readonly name: string } | { readonly problem: string }>();
  const thread = new ImageThread();
  try {
    for (const src of shown) {
      const file = /\.gif$/i.test(parseMediaPath(src) ?? '') ? (media?.find(src) ?? null) : null;
      if (file === null || gifs.has(file.name)) continue;
      const converted = await thread
        .run({ kind: 'prepare', content: await file.read(), extension: null })
        .catch((error: unknown) => {
          if (error instanceof ImageThreadError) return { reason: error.message };
          throw error;
        });
      if ('reason' in converted) gifs.set(file.name, { problem: converted.reason });
      else {
        const name = `${file.name}.${converted.extension}`;
        gifs.set(file.name, { name });
        files.add(`${IMAGE_FOLDER}/${name}`, converted.content);
      }
    }
  } finally {
    await thread.close();
  }
  return gifs;
}

/** What becomes of the links to merchants: the partners that the operator has confirmed. */
function buildPartners({ decisions, files, note, refuse }: ImportSite, groups: readonly LinkGroup[]) {
  const known = new Set(groups.map(({ proposal }) => proposal.links));
  for (const { links, confirm } of decisions)
    if (confirm && !known.has(links)) note('not understood', 'partners', `no links are those of "${links}"`);
  return groups.flatMap((group) => {
    const { links, confirm, key } = group.proposal;
    if (!confirm) return [];
    const file = `partners/${key}.yaml`;
    const own = files.readOwn(file, (text) => isUnrecorded(text, group.proposal));
    const partner = buildPartner(group, group.proposal, { ...own, keys: files.readKeys(file) });
    if (!('problem' in partner)) return [{ ...partner, links, isEdited: own.isEdited }];
    refuse(
      `The links "${links}" cannot be those of a partner: ${partner.problem}. Correct what is named, or leave the partner unconfirmed: its links stay as they are.`,
    );
    return [];
  });
}

function writePartners(
  { files, note, refuse }: ImportSite,
  partners: ReturnType<typeof buildPartners>,
): void {
  for (const { key, text, links, isEdited, keys, changes } of partners) {
    const file = `partners/${key}.yaml`;
    files.recordKeys(file, keys);
    const outcome = isEdited ? files.addMerged(file, text, true) : files.add(file, text);
    if (outcome === 'taken')
      refuse(`The key "${key}" of "${links}" is that of a partner of this site: choose another one.`);
    if (outcome === 'removed')
      refuse(
        `content/${file} was removed since the last import, and the links "${links}" would lead nowhere: put it back, or leave the partner unconfirmed.`,
      );
    for (const change of changes) note('changed', file, change);
  }
}

/** Leads every former address to where what it had is now. Returns how many redirects there are. */
function writeRedirects(
  site: ImportSite,
  conversion: Conversion,
  { cleared, partnerPaths }: ReturnType<typeof decide>,
  { images, imagePaths }: Awaited<ReturnType<typeof writeArticles>>,
  redirects: FormerRedirects,
): number {
  const { scan } = conversion;
  redirects.addLinks(
    [...scan.pluginTargets].map(([from, target]) => {
      const end = followTarget(scan, target);
      return [from, partnerPaths.get(end) ?? end];
    }),
  );
  for (const [from, to] of listImageAddresses(conversion, images, imagePaths))
    if (isFormerPath(from)) redirects.add(from, to, 'image');
  for (const [id, { address, parent }] of scan.attachments)
    redirects.addAttachment(id, address, scan.posts.get(parent));
  const keys = [...partnerPaths.values()].map((to) => parseRedirectPath(to.split('?')[0] ?? '') ?? '');
  const kept = new Set(scan.gone.map(buildDefaultPath));
  return redirects.write(site.name, { ...site, partners: new Set(keys), cleared, kept }, site.files, site);
}

/** Reads everything again, one post at a time, and writes an article for each of them. */
async function writeArticles(
  { site, name, files, note, addNotes }: ImportSite,
  conversion: Conversion,
  redirects: FormerRedirects,
) {
  const { scan } = conversion;
  const images = new Set<string>();
  const imagePaths = new Map<string, string>();
  const unknown = new Map<string, string[]>();
  const linkedFiles = new Set<string>();
  const settings = new Map<string, number>();
  let counts = { ...createFindings().counts, posts: 0, pages: 0, drafts: 0 };
  const read = new Set<FoundPost>();
  for await (const item of site.read(() => undefined)) {
    const post = item.type === 'post' || item.type === 'page' ? scan.posts.get(item.id) : undefined;
    if (post === undefined || read.has(post)) continue;
    read.add(post);
    const converted = await convertWithImages(item, post, conversion, images, files);
    addNotes(converted.notes);
    if (converted.text === null) continue;
    for (const [from, reference] of converted.imagePaths) imagePaths.set(from, reference);
    for (const own of converted.linkedFiles) linkedFiles.add(own);
    for (const setting of converted.settings) settings.set(setting, (settings.get(setting) ?? 0) + 1);
    for (const shortcode of converted.unknown) {
      const places = unknown.get(shortcode);
      if (places === undefined) unknown.set(shortcode, [converted.place]);
      else places.push(converted.place);
    }
    const outcome = files.add(`articles/${post.slug}.md`, converted.text);
    addNotes(describeArticle(item, post, converted.place, outcome));
    // It stays where it is, and its new address leads there.
    if (outcome === 'edited') post.address = files.readAddress(`articles/${post.slug}.md`);
    const { key, paths } = scan.records.get(post) ?? { key: '', paths: [] };
    files.recordKeys(`posts ${name}`, new Map([[key, post.slug]]));
    if (paths.length > 0) files.recordKeys(`paths ${name}`, new Map([[key, paths.join(' ')]]));
    const to = outcome === 'removed' ? redirects.findMoved(post) : buildDefaultPath(post.slug);
    if (to !== null) redirects.addPost(item, post, to);
    if (outcome === 'removed') continue;
    counts = addCounts(counts, {
      ...converted.counts,
      posts: Number(item.type !== 'page'),
      pages: Number(item.type === 'page'),
      drafts: Number(!post.isPublic),
    });
  }
  const { untaggedLinks } = counts;
  if (untaggedLinks > 0) {
    const links =
      untaggedLinks === 1
        ? '1 link to Amazon has no tag and pays'
        : `${untaggedLinks} links to Amazon have no tag and pay`;
    note('lost', 'paid links', `${links} nobody: --amazon SHOP,TAG`);
  }
  for (const [setting, posts] of settings)
    note('lost', 'settings for search engines', `${setting}: ${posts} posts`);
  addNotes([...listUnknown(unknown), ...listLostFiles(scan, linkedFiles)]);
  return { images, imagePaths, counts };
}

/** Converts a post and adds its images; one that cannot be shown stays on its host. */
async function convertWithImages(
  item: FormerItem,
  post: FoundPost,
  conversion: Conversion,
  images: Set<string>,
  files: MovedFiles,
): Promise<ConvertedPost> {
  for (;;) {
    const converted = convertPost(item, post, conversion);
    const known = conversion.unreadable.size;
    for (const { file, read } of converted.images) {
      if (images.has(file)) continue;
      const bytes = await read?.().catch(
        (error: unknown) => new MoveInError(error instanceof Error ? error.message : String(error)),
      );
      const problem =
        bytes instanceof MoveInError
          ? bytes.message
          : file.endsWith('.svg') && bytes !== undefined
            ? checkSvg(Buffer.from(bytes).toString())
            : null;
      if (problem !== null) conversion.unreadable.set(file.slice(IMAGE_FOLDER.length + 1), problem);
      if (problem !== null || bytes instanceof MoveInError) continue;
      images.add(file);
      if (bytes !== undefined) files.add(file, bytes);
    }
    if (conversion.unreadable.size === known) return converted;
  }
}

const addCounts = <Name extends string>(one: Record<Name, number>, other: Readonly<Record<Name, number>>) => {
  const sum = { ...one };
  for (const name in one) sum[name] += other[name];
  return sum;
};

function describeArticle(item: FormerItem, post: FoundPost, place: string, outcome: FileOutcome) {
  const file = `content/articles/${post.slug}.md`;
  return [
    outcome === 'edited' ? `${file} was edited since the last import and stays as it is` : '',
    outcome === 'removed' ? `${file} was removed or renamed since the last import and stays so` : '',
    post.isPublic ? '' : `was ${item.hidden} and is a draft`,
    item.type === 'page' ? 'was a page and is an article in the category Pages' : '',
  ].flatMap((text) => (text === '' ? [] : [createNote('changed', place, text)]));
}

/** Lists what has no form here, each with the first places that use it. */
function listUnknown(unknown: ReadonlyMap<string, readonly string[]>): MoveInNote[] {
  return [...unknown].sort().map(([name, places]) => {
    const more = places.length > 20 ? ` and ${places.length - 20} more places` : '';
    const uses = `${places.length} ${places.length === 1 ? 'use' : 'uses'}`;
    return createNote('not understood', name, `${uses}: ${places.slice(0, 20).join('; ')}${more}`);
  });
}

/** Lists the files that are no images and that no text links to: those with a link were named with it. */
const listLostFiles = ({ attachments, address }: SiteScan, linked: ReadonlySet<string>): MoveInNote[] =>
  [...attachments.values()]
    .filter(
      ({ src }) => src !== '' && parseMediaPath(src) === null && !linked.has(toOwnPath(address, src) ?? ''),
    )
    .map(({ src }) => createNote('lost', 'files without a link', `${src} ${OTHER_FILE}`));

/** The addresses of the images that articles show, in every size that the former site had, and where each of them leads. */
function listImageAddresses(
  conversion: Conversion,
  images: ReadonlySet<string>,
  shown: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const { attachments, address } = conversion.scan;
  const all = new Map(shown);
  for (const { src, sizes } of attachments.values()) {
    const file = findImage(conversion, src);
    if ('problem' in file || !images.has(`${IMAGE_FOLDER}/${file.name}`)) continue;
    const others = URL.canParse(src)
      ? sizes.map((size) => new URL(`./${size.split('/').at(-1)}`, src).href)
      : [];
    for (const one of [src, ...others]) {
      const own = toOwnPath(address, one);
      if (own !== null) all.set(own, nameImage(`${IMAGE_FOLDER}/${file.name}`));
    }
  }
  return all;
}
