import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { listArticleSlugs } from '../content-files/articles/read-article-files.ts';
import { ContentFiles } from '../content-files/content-files.ts';
import { editYaml } from '../content-files/edit-yaml.ts';
import { ImageThread, ImageThreadError } from '../content-files/image-thread.ts';
import { type ContentJournal, JournalError } from '../content-files/journal.ts';
import { parseYaml } from '../content-files/parse-yaml.ts';
import { checkSvg } from '../content-files/svg.ts';
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
import {
  FormerRedirects,
  type FoundPost,
  readPresent,
  readRedirects,
  settleAddresses,
} from './former-redirects.ts';
import type { FormerSettings } from './former-settings.ts';
import type { PluginLink } from './link-plugins.ts';
import { type Media, parseMediaPath } from './media.ts';
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
import { followTarget, type SiteScan, scanSite, toAbsolute, toOwnPath } from './scan-site.ts';

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
  readonly counts: Awaited<ReturnType<typeof writeSite>>['counts'];
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

/**
 * Reads a former site and prepares its articles, partners and redirects beside the content. Rejects with `MoveInError` when a
 * file cannot be read.
 */
export async function prepareMoveIn(input: MoveInInput): Promise<PreparedMoveIn> {
  const files = new MovedFiles(input.contentDir, input.journal);
  try {
    const sample = findSample(input.contentDir);
    const cleared = input.keepsSample ? NOTHING : (sample?.shipped ?? NOTHING);
    const present = listArticleSlugs(path.join(input.contentDir, 'articles'));
    const taken = new Set(
      present.filter((slug) => !files.isOwn(`articles/${slug}.md`) && !cleared.has(`articles/${slug}.md`)),
    );
    const { networks } = readPresent(input.contentDir);
    const recorded = {
      slugs: files.readKeys(`posts ${input.name}`),
      paths: files.readKeys(`paths ${input.name}`),
    };
    const scan = await scanSite({ ...input, networks }, taken, recorded);
    for (const slug of scan.gone.filter((slug) => files.isOwn(`articles/${slug}.md`))) {
      if (!present.includes(slug)) continue;
      const text =
        'its post is in the trash or gone, and it stays as it is: remove it, or keep it as your own';
      scan.notes.push(createNote('suggestion', `content/articles/${slug}.md`, text));
    }
    settleAddresses(
      scan.posts.values(),
      { contentDir: input.contentDir, name: input.name, cleared: listGone(cleared, sample, input.day) },
      scan.pluginTargets,
      (kind, place, text) => void scan.notes.push(createNote(kind, place, text)),
    );
    const images = await readImages(input, scan, files);
    const groups = scan.merchants.list(input.decisions);
    const decided = decidePartners(groups, input.decisions, files);
    const alts = [...scan.attachments.values()].map(
      ({ src, alt }) => [parseMediaPath(src) ?? '', alt] as const,
    );
    const { settings } = input;
    const { media, gifs } = images;
    const former = URL.canParse(scan.address) ? new URL(scan.address).host.replace(/^www\./, '') : '';
    const hosts = readImageHosts(input.contentDir);
    const imageHosts = new Set([...hosts, ...(former === '' ? [] : [former, `www.${former}`])]);
    const shown = { imageHosts, media, gifs, unreadable: new Map<string, string>(), alts: new Map(alts) };
    const named = nameProducts(input, scan, decided, files, cleared);
    const conversion = { scan, settings, partnerPaths: decided.paths, products: named.products, ...shown };
    const kept =
      sample === null || input.keepsSample ? keepSample() : clearSample(sample, scan, decided, input, files);
    const written = await writeSite(input, conversion, decided, files, kept.cleared);
    const { counts } = written;
    const refusals = [...written.refusals, ...kept.refusals];
    if (counts.imagesElsewhere > 0 && [...imageHosts].some((host) => !hosts.includes(host)))
      images.notes.push(allowHosts(input.contentDir, kept.siteText, imageHosts, files));
    return {
      counts,
      notes: [...scan.notes, ...images.notes, ...named.notes, ...written.notes, ...kept.notes],
      nameless: named.nameless,
      sample: sample?.shipped.size ?? 0,
      groups,
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

const NOTHING: ReadonlySet<string> = new Set();

/** Writes the products that boxes show, and says what is missing of the others. */
function nameProducts(
  { contentDir, links, names, decisions }: MoveInInput,
  scan: SiteScan,
  decided: Decided,
  files: MovedFiles,
  cleared: ReadonlySet<string>,
) {
  const folder = path.join(contentDir, 'products');
  const taken = (existsSync(folder) ? readdirSync(folder) : [])
    .filter(
      (file) =>
        file.endsWith('.yaml') && !files.isOwn(`products/${file}`) && !cleared.has(`products/${file}`),
    )
    .map((file) => file.replace(/\.yaml$/, ''));
  const table = new Map(links.flatMap(({ number, name }) => (number === '' ? [] : [[number, name]])));
  const findPath = (href: string) => {
    const own = toOwnPath(scan.address, href);
    return decided.paths.get(own === null ? href : (scan.pluginTargets.get(own) ?? ''));
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
  const notes = [
    waiting.length > 0 &&
      createNote(
        'changed',
        'products',
        `boxes of these are links until their partner is confirmed: ${list(waiting)}`,
      ),
    open.length > 0 &&
      createNote(
        'lost',
        'products',
        `boxes of these have no name and are links: ${list(open.map(({ number }) => number))}; write their names in .import/products.yaml`,
      ),
    built.length > 0 &&
      createNote(
        'suggestion',
        'products',
        `these have a name and a link alone; add a verdict and what is good and what is not: ${list(built.map(({ name }) => name))}`,
      ),
  ].filter((note) => note !== false);
  return { products, nameless, notes };
}

const keepSample = () => ({
  /** The new text of `site.yaml`; null: it stays. */
  siteText: null as string | null,
  /** Files of the sample that are not as they were any more. */
  cleared: new Set<string>(),
  notes: [] as MoveInNote[],
  refusals: [] as string[],
});

/** The files of the sample that are removed, and not written anew. */
function listGone(cleared: ReadonlySet<string>, sample: SamplePlan | null, day: string): ReadonlySet<string> {
  const kept = sample?.build(null, { name: '' }, day);
  return new Set([...cleared].filter((file) => !kept?.has(file)));
}

/**
 * Takes the sample out, so that the site links to and promotes nothing that shipped. Says what of it was edited and stays, and
 * why it cannot be taken out when an operator's file needs it.
 */
function clearSample(
  { shipped, edited, build }: SamplePlan,
  { address, title }: SiteScan,
  { partners }: Decided,
  { contentDir, day, settings }: MoveInInput,
  files: MovedFiles,
): ReturnType<typeof keepSample> {
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
  return {
    siteText: next.get('site.yaml') ?? null,
    cleared: new Set([...gone, 'site.yaml']),
    notes: edited.map((file) =>
      createNote(
        'changed',
        `content/${file}`,
        'is of the sample, was edited and stays: remove it unless you need it',
      ),
    ),
    refusals: problems.map(
      ({ file, field, reason }) =>
        `Without the sample, content/${file} would be wrong: ${field} ${reason}. Correct it, or keep the sample.`,
    ),
  };
}

/** The hosts of images that the content allows. */
function readImageHosts(contentDir: string): readonly string[] {
  const file = path.join(contentDir, 'site.yaml');
  const read = parseYaml(existsSync(file) ? readFileSync(file, 'utf8') : '');
  const hosts: unknown = 'value' in read ? Object(read.value).imageHosts : [];
  return Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string') : [];
}

/** Lets the site show images of the former host, in `site.yaml`; `given`: its new text, null when it stays as it is. */
function allowHosts(
  contentDir: string,
  given: string | null,
  hosts: ReadonlySet<string>,
  files: MovedFiles,
): MoveInNote {
  const text = given ?? readFileSync(path.join(contentDir, 'site.yaml'), 'utf8');
  const edited = editYaml(text, [{ kind: 'set', path: ['imageHosts'], value: [...hosts] }]);
  const names = [...hosts].join(', ');
  if ('problem' in edited)
    return createNote(
      'lost',
      'images',
      `add imageHosts: [${names}] to content/site.yaml, which ${edited.problem}`,
    );
  files.addMerged('site.yaml', edited.text);
  const advice = 'give the uploads with --media before that host is gone';
  return createNote(
    'changed',
    'content/site.yaml',
    `imageHosts lets the site show images of ${names}: ${advice}`,
  );
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
async function readImages({ site, download, media: given }: MoveInInput, scan: SiteScan, files: MovedFiles) {
  const attached = [...scan.shownIds].flatMap((id) => scan.attachments.get(id)?.src ?? []);
  const shown = [...scan.shownImages, ...attached].map((src) => toAbsolute(scan.address, src));
  const notes: MoveInNote[] = [];
  const host = URL.canParse(scan.address) ? new URL(scan.address).host : '';
  const media =
    download === undefined
      ? (given ?? site.media ?? null)
      : await downloadMedia(
          shown.filter((src) => parseMediaPath(src) !== null),
          host,
          download,
          (address, reason) => void notes.push(createNote('lost', 'images', `${address} ${reason}`)),
        );
  return { media, notes, gifs: await convertGifs(shown, media, files) };
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
function decidePartners(
  groups: readonly LinkGroup[],
  decisions: readonly PartnerDecision[],
  files: MovedFiles,
) {
  const partners: (BuiltPartner & { readonly links: string; readonly isEdited: boolean })[] = [];
  const refusals: string[] = [];
  for (const group of groups) {
    const { links, confirm, key } = group.proposal;
    if (!confirm) continue;
    const file = `partners/${key}.yaml`;
    const own = files.readOwn(file, (text) => isUnrecorded(text, group.proposal));
    const former = { ...own, keys: files.readKeys(file) };
    const partner = buildPartner(group, group.proposal, former);
    if ('problem' in partner)
      refusals.push(
        `The links "${links}" cannot be those of a partner: ${partner.problem}. Correct what is named, or leave the partner unconfirmed: its links stay as they are.`,
      );
    else partners.push({ ...partner, links, isEdited: former.isEdited });
  }
  const known = new Set(groups.map(({ proposal }) => proposal.links));
  const notes = decisions
    .filter(({ links, confirm }) => confirm && !known.has(links))
    .map(({ links }) => createNote('not understood', 'partners', `no links are those of "${links}"`));
  return { partners, paths: new Map(partners.flatMap(({ paths }) => [...paths])), refusals, notes };
}

type Decided = ReturnType<typeof decidePartners>;

/** Writes everything beside the content: partners, articles with their images, and the former addresses. */
async function writeSite(
  input: MoveInInput,
  conversion: Conversion,
  decided: Decided,
  files: MovedFiles,
  cleared: ReadonlySet<string>,
) {
  const { scan, settings } = conversion;
  const notes: MoveInNote[] = [];
  const refusals = [...decided.refusals];
  writePartners(decided, files, { notes, refusals });
  notes.push(...decided.notes);
  const redirects = new FormerRedirects(input.site, settings, scan, readRedirects(input.contentDir));
  const articles = await writeArticles(input, conversion, redirects, files);
  notes.push(...articles.notes);
  redirects.addLinks(
    [...scan.pluginTargets].map(([from, target]) => {
      const end = followTarget(scan, target);
      return [from, decided.paths.get(end) ?? end];
    }),
  );
  for (const [from, to] of listImageAddresses(conversion, articles.images, articles.imagePaths))
    if (isFormerPath(from)) redirects.add(from, to, 'image');
  for (const [id, { address, parent }] of scan.attachments)
    redirects.addAttachment(id, address, scan.posts.get(parent));
  const keys = [...decided.paths.values()].map((to) => parseRedirectPath(to.split('?')[0] ?? '') ?? '');
  const report = {
    note: (kind: MoveInNote['kind'], place: string, text: string) =>
      void notes.push(createNote(kind, place, text)),
    refuse: (reason: string) => void refusals.push(reason),
  };
  const count = redirects.write(
    input.name,
    input.contentDir,
    { partners: new Set(keys), cleared, kept: new Set(scan.gone.map(buildDefaultPath)) },
    files,
    report,
  );
  return {
    counts: { ...articles.counts, items: scan.items, files: articles.images.size, redirects: count },
    notes,
    refusals,
  };
}

function writePartners(
  { partners }: Decided,
  files: MovedFiles,
  { notes, refusals }: { readonly notes: MoveInNote[]; readonly refusals: string[] },
): void {
  for (const { key, text, links, isEdited, keys, changes } of partners) {
    const file = `partners/${key}.yaml`;
    files.recordKeys(file, keys);
    const outcome = isEdited ? files.addMerged(file, text, true) : files.add(file, text);
    if (outcome === 'taken')
      refusals.push(`The key "${key}" of "${links}" is that of a partner of this site: choose another one.`);
    if (outcome === 'removed')
      refusals.push(
        `content/${file} was removed since the last import, and the links "${links}" would lead nowhere: put it back, or leave the partner unconfirmed.`,
      );
    for (const change of changes) notes.push(createNote('changed', file, change));
  }
}

/** Reads everything again, one post at a time, and writes an article for each of them. */
async function writeArticles(
  { site, name }: MoveInInput,
  conversion: Conversion,
  redirects: FormerRedirects,
  files: MovedFiles,
) {
  const { scan } = conversion;
  const notes: MoveInNote[] = [];
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
    notes.push(...converted.notes);
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
    notes.push(...describeArticle(item, post, converted.place, outcome));
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
    notes.push(createNote('lost', 'paid links', `${links} nobody: --amazon SHOP,TAG`));
  }
  for (const [name, posts] of settings)
    notes.push(createNote('lost', 'settings for search engines', `${name}: ${posts} posts`));
  notes.push(...listUnknown(unknown), ...listLostFiles(scan, linkedFiles));
  return { notes, images, imagePaths, counts };
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
