import path from 'node:path';
import type { ContentFiles } from '../../content-files/content-files.ts';
import { editYaml } from '../../content-files/edit-yaml.ts';
import type { ImageStore, ImageUse } from '../../content-files/image-store.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import { findDescriptionProblem, IMAGE_DESCRIPTIONS } from '../../core/pages/images/image-field.schema.ts';
import { DownloadError, requestImage } from '../../move-in/download-media.ts';
import { parseMediaPath } from '../../move-in/media.ts';
import { noteContentChange } from '../activity/note-activity.ts';
import { type ActionOutcome, buildFailure, type ConsoleSite, type ViewRequest } from '../console-site.ts';
import { buildData } from '../http.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { type Column, column } from '../reports/columns.ts';
import { readListTable } from '../reports/list.ts';
import { listSitePages } from '../reports/site-pages.ts';
import { findPublishProblem } from './drafts.ts';
import { buildImagesAddress } from './file-address.ts';
import { noteSaved } from './note-saved.ts';
import { listFileTitles, readSaving } from './written-files.ts';

/** An image of the site with where it is used. */
export interface ImageRow {
  /** Path below `content/images/`. */
  readonly path: string;
  /** Null: the image is part of the build. */
  readonly bytes: number | null;
  /** ms since 1970; null: the image is part of the build. */
  readonly changedAt: number | null;
  /** Tells the file from a later one of the same name. */
  readonly version: string;
  /** What visitors get of it; null while it cannot be shown. */
  readonly shown: { readonly src: string; readonly width: number; readonly height: number } | null;
  /** What it shows, as `images.yaml` says, or the first place that shows it; empty: nothing does. */
  readonly description: string;
  readonly uses: readonly ImageUse[];
  /** What is wrong with it, as a sentence; empty when nothing is. */
  readonly problem: string;
}

const READ_ONLY_BUILD =
  'This site runs where its images are part of the build, so they cannot be changed here. ' +
  'Add files to content/images/ of the project, then build and deploy it with “signpost edge deploy”.';

/** Why images cannot be changed here, as a sentence; null when they can. */
async function findReadOnlyReason(
  { platform }: ConsoleSite,
  { viewer }: ViewRequest,
): Promise<string | null> {
  const { files } = platform.content;
  if (files === null) return READ_ONLY_BUILD;
  const problem = findPublishProblem(viewer, IMAGE_DESCRIPTIONS, []) ?? (await files.findWriteProblem());
  return (
    problem &&
    `${problem} New images are files that are copied into content/images/: the site shows them within seconds.`
  );
}

/** Reads the images of the site, those without a description first; or the one that the address names. */
export async function readImages(site: ConsoleSite, request: ViewRequest) {
  const { imageStore: store, readImages: readCatalog } = site.platform.content;
  const rows = store === null ? listBuiltImages(site) : listStoredImages(site, store, readCatalog());
  const [, ...parts] = request.rest;
  const image = rows.find(({ path }) => path === parts.join('/'));
  if (parts.length > 0 && image === undefined) return null;
  const { parameters } = request;
  return {
    kind: 'images' as const,
    image: image ?? null,
    list: readListTable(rows, IMAGE_COLUMNS, request, {
      usual: { column: 'needs', isDescending: false },
      title: ({ path: name, description }) => [description, name].join(' '),
      words: ({ uses }) => uses.map(({ file }) => file).join(' '),
      filter: {
        name: 'state',
        label: 'All images',
        options: [
          ['to-do', 'To do'],
          ['unused', 'Not used'],
        ],
        has: (row, state) => (state === 'unused' ? row.uses.length === 0 : rankNeed(row) < 2),
      },
    }),
    total: rows.length,
    unused: rows.filter(({ uses }) => uses.length === 0).length,
    /** Of the pieces that use images. */
    titles: listFileTitles(
      site,
      rows.flatMap(({ uses }) => uses.map(({ file }) => file)).filter((file) => /\.(?:yaml|md)$/.test(file)),
    ),
    folders: store?.listFolders() ?? [],
    /** What the operator had written when the image could not be added. */
    given: { alt: parameters.get('alt') ?? '', name: parameters.get('name') ?? '' },
    readOnly: await findReadOnlyReason(site, request),
  };
}

function listStoredImages(
  site: ConsoleSite,
  store: ImageStore,
  { images }: ReturnType<ConsoleSite['platform']['content']['readImages']>,
): readonly ImageRow[] {
  const uses = store.readUses();
  const descriptions = store.readDescriptions();
  const warnings = site.content.readWarnings();
  return sortImages(
    store.list().map((file) => {
      const own = uses.get(file.path) ?? [];
      const description = descriptions.get(file.path) ?? own.find(({ alt }) => alt)?.alt ?? '';
      const start = `content: content/images/${file.path} `;
      const warning = warnings.find((text) => text.startsWith(start))?.slice(start.length);
      const shown = images.get(file.path) ?? null;
      const waits = shown === null ? 'It is being converted, or cannot be shown.' : '';
      return { ...file, shown, description, uses: own, problem: warning ? `It ${warning}.` : waits };
    }),
  );
}

/** The images of the build, with the places of pages, authors and articles that show them. */
function listBuiltImages(site: ConsoleSite): readonly ImageRow[] {
  const content = site.content.read();
  const { articles } = site.content;
  const found = new Map<string, ImageUse[]>();
  for (const { slug, featuredImage } of articles.getSummaries()) {
    const use = { file: `articles/${slug}.md`, alt: featuredImage?.alt ?? '' };
    if (featuredImage !== null) found.set(featuredImage.src, [...(found.get(featuredImage.src) ?? []), use]);
  }
  const references = [...content.pages].map(([path, page]) => ({ path, text: JSON.stringify(page) }));
  return sortImages(
    [...content.images.images].map(([path, shown]) => {
      const uses = [
        ...(found.get(shown.src) ?? []),
        ...references
          .filter(({ text }) => text.includes(`../images/${path}"`))
          .map((page) => ({ file: `pages${page.path}.yaml`, alt: null })),
      ];
      const description = uses.find(({ alt }) => alt)?.alt ?? '';
      return { path, bytes: null, changedAt: null, version: '', shown, description, uses, problem: '' };
    }),
  );
}

/** Responds with the images that a text can show, the newest first, each with a small file of it. */
export async function listPictures(site: ConsoleSite): Promise<Response> {
  const { imageStore: store, readImages: readCatalog } = site.platform.content;
  const { images } = readCatalog();
  const titles = new Map(listSitePages(site).map(({ file, title }) => [file, title]));
  const rows = store === null ? listBuiltImages(site) : listStoredImages(site, store, readCatalog());
  const pictures = rows
    .flatMap(({ path: name, description, uses, changedAt }) => {
      const image = images.get(name);
      if (image === undefined) return [];
      const { src, width, height, sources } = image;
      const thumb = sources.at(-1)?.srcset.split(' ', 1)[0] ?? src;
      const pieces = [...new Set(uses.map(({ file }) => titles.get(file) ?? file))]
        .slice(0, MAX_PIECES)
        .join(', ');
      return [
        { path: name, src, thumb, width, height, alt: description, uses: pieces, changedAt: changedAt ?? 0 },
      ];
    })
    .sort((one, other) => other.changedAt - one.changedAt);
  return buildData({ pictures });
}

/** Of an image that many show. */
const MAX_PIECES = 20;

/** 0: it has a problem; 1: it has no description, or is shown without one; 2: nothing is to do. */
const rankNeed = ({ problem, description, uses }: ImageRow) =>
  problem !== '' ? 0 : uses.some(({ alt }) => alt === '') || description === '' ? 1 : 2;

export const IMAGE_COLUMNS: readonly Column<ImageRow>[] = [
  column('picture', 'Picture', ({ path: name }) => name),
  column('shows', 'What it shows', ({ description }) => description),
  column('size', 'Size', ({ bytes }) => bytes, { isNumeric: true, onPhone: 'hidden' }),
  column('used', 'Used by', ({ uses }) => uses.length, { onPhone: 'hidden' }),
  // Those that need something first, which is the order of the list unless another one is asked for.
  column('needs', '', rankNeed, { isShown: false }),
];

const sortImages = (rows: readonly ImageRow[]) =>
  [...rows].sort((one, other) => (one.path < other.path ? -1 : 1));

interface ImageForm {
  readonly file?: File | null;
  readonly alt?: string;
  readonly folder?: string;
  readonly name?: string;
  readonly version?: string;
}

/** Adds, replaces, removes or describes an image. */
export async function changeImages(
  site: ConsoleSite,
  action: 'add-image' | 'replace-image' | 'remove-image' | 'describe-image',
  { file = null, alt = '', folder = '', name = '', version = '' }: ImageForm,
  request: ViewRequest,
): Promise<ActionOutcome> {
  const { imageStore: store, files } = site.platform.content;
  const image = request.rest.slice(1).join('/');
  const readOnly = await findReadOnlyReason(site, request);
  const refuse = (message: string, location = buildImagesAddress(image)) => buildFailure(location, message);
  if (store === null || files === null || readOnly !== null) return refuse(readOnly ?? READ_ONLY_BUILD);
  const back = { alt: alt.slice(0, 400), name };
  const again = (message: string) =>
    refuse(message, image === '' ? `${buildImagesAddress('', back)}#add` : buildImagesAddress(image));
  if (action === 'add-image' || action === 'describe-image') {
    const problem = findDescriptionProblem(alt);
    if (problem !== null) return again(`The description ${problem}. Nothing was changed.`);
  }
  if (action === 'describe-image') {
    return store.list().some(({ path }) => path === image)
      ? describeImage(site, files, { image, alt, request })
      : refuse('There is no such image. Nothing was changed.', buildImagesAddress(''));
  }
  if (action === 'remove-image') {
    const removed = store.remove(image, version);
    const message = `content/images/${image} was removed.`;
    return 'problem' in removed ? refuse(removed.problem) : finish(site, request, removed.path, message, '');
  }
  if (file === null || file.size === 0)
    return again('Choose a file, then send the form again. Nothing was changed.');
  if (file.size > MAX_BYTES) return again(`${describeExcess(file.size)} Nothing was changed.`);
  if (action === 'replace-image') {
    const isSeen = (store.readUses().get(image) ?? []).length > 0;
    if (isSeen && !isAllowed(request.viewer, 'publish'))
      return refuse(
        'Visitors see this image. Ask an operator who may publish to replace it. Nothing was changed.',
      );
    const replaced = await store.replace(image, file, version);
    if ('problem' in replaced) return refuse(replaced.problem);
    return finish(site, request, image, 'Replaced. Every place that uses the image shows the new one.');
  }
  const added = await store.add(file, { folder, name: back.name });
  if ('problem' in added) return again(added.problem);
  const described = await describeImage(site, files, { image: added.path, alt, request });
  const done = await finish(site, request, added.path, 'Added. Articles and pages can show it now.');
  return described.isError
    ? {
        ...done,
        message: `Added, but its description could not be saved: ${described.message}`,
        isError: true,
      }
    : done;
}

/** What an image may have that is added. */
export const MAX_BYTES = 20_000_000;

/** Why an image is too large. */
export const describeExcess = (bytes: number) =>
  `The file is ${Math.ceil(bytes / 1_000_000)} MB, the limit is ${MAX_BYTES / 1_000_000}: make it smaller.`;

/** The names of fonts, which are kept beside the images. */
const FONT = /\.(?:woff2?|ttf|otf|ttc)$/i;

interface PictureForm {
  /** What was dropped, pasted or chosen. */
  readonly file: File | null;
  /** In place of it: the address of a picture in what was pasted, */
  readonly address: string;
  /** or the path of an image of the site, of which `area` is kept: left, top, width and height in pixels. */
  readonly of: string;
  readonly area: string;
  readonly name: string;
}

/** Adds a picture that a text shows, and responds with how it is named and shown, or with why it cannot be. */
export async function addPicture(
  site: ConsoleSite,
  { file, address, of, area, name }: PictureForm,
  request: ViewRequest,
): Promise<Response> {
  const { imageStore: store, readImages: readCatalog } = site.platform.content;
  const refuse = (problem: string) => buildData({ problem });
  const readOnly = await findReadOnlyReason(site, request);
  if (store === null || readOnly !== null) return refuse(readOnly ?? READ_ONLY_BUILD);
  const given = address === '' ? file : await downloadPicture(site, address);
  if (typeof given === 'string') return refuse(`The picture ${given}.`);
  if (of === '' && (given === null || given.size === 0)) return refuse('The file is empty.');
  if (given !== null && given.size > MAX_BYTES) return refuse(describeExcess(given.size));
  if (given !== null && FONT.test(given.name)) {
    const font = await store.addFont(given);
    if ('problem' in font) return refuse(font.problem.replace(/ Nothing was changed\.$/, ''));
    const text = `Added content/${font.path}.`;
    await noteContentChange(
      site,
      request.viewer,
      [font.path],
      text,
      buildConsoleAddress('settings', {}, { rest: ['brand'] }),
    );
    return buildData(font);
  }
  const added =
    of !== '' || given === null
      ? await store.crop(of, area.split(' ').map(Number))
      : await store.add(given, { folder: '', name, isNumbered: true });
  if ('problem' in added) return refuse(added.problem.replace(/ Nothing was changed\.$/, ''));
  await finish(site, request, added.path, 'Added.');
  const { src = '', width = 0, height = 0 } = readCatalog().images.get(added.path) ?? {};
  return buildData({ path: added.path, src, width, height });
}

/** Reads a picture of another site; a text continues a sentence that begins with the picture. */
async function downloadPicture(site: ConsoleSite, address: string): Promise<File | string> {
  if (!URL.canParse(address)) return 'has no address that the server can read';
  try {
    const send = site.platform.createLinkRequests(site.settings.TEST_HOSTS);
    const bytes = await requestImage(new URL(address), { send, userAgent: 'Signpost import' });
    return new File([new Uint8Array(bytes)], path.basename(parseMediaPath(address) ?? 'picture'));
  } catch (error) {
    if (error instanceof DownloadError) return error.message;
    throw error;
  }
}

/** Notes a changed image when visitors get it. `shown`: the image whose page is shown. */
async function finish(
  site: ConsoleSite,
  { viewer }: ViewRequest,
  image: string,
  message: string,
  shown = image,
): Promise<ActionOutcome> {
  site.log.info('image changed', { file: `images/${image}`, operator: viewer.id });
  const location = buildImagesAddress(shown);
  const text =
    shown === ''
      ? `Removed content/images/${image}.`
      : `${message.split('.', 1)[0]} content/images/${image}.`;
  await noteContentChange(site, viewer, [`images/${image}`], text, location);
  return { location, message, isError: false, note: '' };
}

const FIRST_LINE =
  '# What each image of content/images/ shows: the description with which a piece begins that takes it.\n';

async function describeImage(
  site: ConsoleSite,
  files: ContentFiles,
  { image, alt, request }: { readonly image: string; readonly alt: string; readonly request: ViewRequest },
): Promise<ActionOutcome> {
  const location = buildImagesAddress(image);
  const found = files.read(IMAGE_DESCRIPTIONS);
  const before = 'problem' in found ? null : found;
  const edited =
    before === null
      ? { text: `${FIRST_LINE}${JSON.stringify(image)}: ${JSON.stringify(alt)}\n` }
      : editYaml(before.text, [{ kind: 'set', path: [image], value: alt }]);
  if ('problem' in edited)
    return { location, message: `${edited.problem}. Nothing was saved.`, isError: true };
  const { text } = edited;
  const saved = files.save(IMAGE_DESCRIPTIONS, text, before?.hash ?? null, readSaving(site));
  if (saved.outcome === 'saved') {
    const note = await noteSaved(site, IMAGE_DESCRIPTIONS, { before, text, viewer: request.viewer });
    return { location, message: `The description was saved.${note}`, isError: false, note: '' };
  }
  const reasons = {
    changed: () => `content/${IMAGE_DESCRIPTIONS} was changed meanwhile. Send the form again.`,
    invalid: () => `content/${IMAGE_DESCRIPTIONS} is invalid: correct it first.`,
  };
  const message = 'reason' in saved ? saved.reason : reasons[saved.outcome]();
  return { location, message, isError: true };
}
