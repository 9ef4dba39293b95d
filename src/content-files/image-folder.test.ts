import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createFolder, listReadableByOthers } from '../../test/support/create-folder.ts';
import { listPlaces } from '../../test/support/image-places.ts';
import { SHIPPED_CONTENT } from '../../test/support/sample-content.ts';
import { buildImageCatalog, encodeImage, findMemoryProblem, readContentImages } from './check-image.ts';
import { createImageReader, ImageFolder, type ImagePlaces, pace } from './image-folder.ts';
import { ImageThread, ImageThreadError } from './image-thread.ts';
import { readContent } from './read-content.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 63"><path d="M0 0h9v9z"/></svg>';

let content = '';
let places: ImagePlaces;
const at = (name: string) => path.join(places.source, name);
const open = (thread?: ImageThread) => {
  const folder = new ImageFolder(places, thread);
  onTestFinished(() => folder.close());
  return folder;
};
/** A thread that a test does not expect to be used. */
const unused = () =>
  Object.assign(new ImageThread(), { run: () => Promise.reject(new Error('an image was converted again')) });
const drawPhoto = (file: string, background: string) =>
  sharp({ create: { width: 90, height: 60, channels: 3, background } })
    .jpeg()
    .toFile(file);
const listFiles = () => readdirSync(places.converted).filter((name) => name !== 'images.json');
const getSrc = (folder: Pick<ImageFolder, 'readImages'>, name: string) =>
  folder.readImages().images.get(name)?.src;

/** Writes what a build of the folder leaves. */
async function build(): Promise<void> {
  const images = await readContentImages(content);
  mkdirSync(places.built, { recursive: true });
  for (const image of images) {
    const files = image.copy === null ? await encodeImage(image, image.variants) : [];
    if (image.copy !== null) writeFileSync(path.join(places.built, image.copy), readFileSync(image.file));
    for (const { name, data } of files) writeFileSync(path.join(places.built, name), data);
  }
  writeFileSync(
    places.builtList,
    JSON.stringify({ images: Object.fromEntries(buildImageCatalog(images).images) }),
  );
}

beforeEach(async () => {
  const root = createFolder();
  content = path.join(root, 'content');
  places = listPlaces(root);
  mkdirSync(at('team'), { recursive: true });
  writeFileSync(at('a.svg'), SVG);
  await drawPhoto(at('old.jpg'), '#864');
  await build();
});

it.each([
  [0, 29],
  [4_000, 1],
])(
  'shows what is done of many for a twentieth of the time at most, where that takes %i ms',
  async (takes, shown) => {
    let [time, count] = [0, 0];
    const publish = pace(
      async () => {
        time += takes;
        count += 1;
      },
      () => time,
    );
    for (; time < 60_000; time += 500) await publish();
    expect(count).toBe(shown);
  },
);

it('starts with the images of the build, and converts none of them', async () => {
  const folder = open(unused());
  const before = folder.readImages();
  expect(await folder.refresh()).toBe(false);
  expect(folder.readImages().images).toEqual(before.images);
  expect(listFiles()).toEqual([]);
  expect(folder.readProblems()).toEqual([]);
});

it('shows every image of the build while it looks through a folder for a long time', async () => {
  const folder = open();
  const before = folder.readImages().images;
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 60_000));
  const shown: ReturnType<typeof folder.readImages>['images'][] = [];
  expect(await folder.refresh(() => void shown.push(folder.readImages().images))).toBe(false);
  clock.mockRestore();
  expect(shown).toEqual([before]);
});

it('converts new images to the files that the next build gives them', async () => {
  const folder = open();
  await drawPhoto(at('team/New photo.jpg'), '#246');
  writeFileSync(at('b.svg'), SVG.replace('120', '240'));
  expect(await folder.refresh()).toBe(true);
  const files = listFiles();
  expect(files).toHaveLength(4);
  expect(listReadableByOthers(places.converted)).toEqual([]);
  await build();
  expect(Object.fromEntries(folder.readImages().images)).toEqual(
    JSON.parse(readFileSync(places.builtList, 'utf8')).images,
  );
  for (const name of files) {
    const file = folder.findFile(`/images/${name}`) ?? '';
    expect(readFileSync(file).equals(readFileSync(path.join(places.built, name))), name).toBe(true);
  }
});

it('finds no file but those that it has converted', async () => {
  const folder = open();
  await folder.refresh();
  for (const address of ['/images/images.json', '/images/../images.json', '/images/', '/other', '/images/a'])
    expect(folder.findFile(address)).toBeUndefined();
});

it('follows an image that is replaced, and forgets one that is removed', async () => {
  const folder = open();
  await folder.refresh();
  const before = getSrc(folder, 'old.jpg');
  await drawPhoto(at('old.jpg'), '#fff');
  rmSync(at('a.svg'));
  expect(await folder.refresh()).toBe(true);
  expect(getSrc(folder, 'old.jpg')).not.toBe(before);
  expect(getSrc(folder, 'a.svg')).toBeUndefined();
});

it('reports an image that cannot be used, and shows the one before it', async () => {
  const folder = open();
  await folder.refresh();
  const before = getSrc(folder, 'old.jpg');
  writeFileSync(at('old.jpg'), 'half a fi');
  writeFileSync(at('b.svg'), SVG.replace('<path', '<script>1</script><path'));
  expect(await folder.refresh()).toBe(false);
  expect(getSrc(folder, 'old.jpg')).toBe(before);
  expect(getSrc(folder, 'b.svg')).toBeUndefined();
  expect(folder.readProblems()).toEqual([
    'content/images/b.svg has a <script> element',
    expect.stringMatching(/^content\/images\/old\.jpg is damaged: .*, so the image before it is shown$/),
  ]);
});

it('shows after a restart what was converted before it, at once and also beside a new build', async () => {
  await drawPhoto(at('new.jpg'), '#246');
  await open().refresh();
  const before = getSrc(open(), 'new.jpg');
  expect(before).toBeDefined();
  const folder = open(unused());
  expect(await folder.refresh()).toBe(false);
  writeFileSync(places.builtList, `${readFileSync(places.builtList, 'utf8')}\n`);
  expect(createImageReader(places)().images.get('new.jpg')?.src).toBe(before);
});

it.each([
  ['missing', (file: string) => rmSync(file)],
  ['empty, as after a power cut', (file: string) => writeFileSync(file, '')],
])(
  'converts an image again of which a size is %s, and never lists a part for the whole',
  async (_, damage) => {
    await drawPhoto(at('new.jpg'), '#246');
    await open().refresh();
    const read = () =>
      listFiles().map((name) => [name, readFileSync(path.join(places.converted, name)).length]);
    const before = read();
    damage(path.join(places.converted, listFiles()[0] ?? ''));
    const folder = open();
    await folder.refresh();
    expect(read()).toEqual(before);
    for (const [name] of before) expect(folder.findFile(`/images/${name}`)).toBeDefined();
  },
);

it('removes at a start what a new build has, and parts that were left by a process that was killed', async () => {
  await drawPhoto(at('new.jpg'), '#246');
  await open().refresh();
  expect(listFiles()).not.toEqual([]);
  writeFileSync(path.join(places.converted, 'new.0123456789-90.avif.part'), 'half');
  await build();
  await open(unused()).refresh();
  expect(listFiles()).toEqual([]);
});

it('gives up an image that takes too long, once, and tries again after a failure such as a full disk', async () => {
  const failures = [
    new ImageThreadError('timeout', 'takes too long'),
    Object.assign(new Error('x'), { code: 'ENOSPC' }),
  ];
  const thread = Object.assign(new ImageThread(), {
    run: () => Promise.reject(failures.shift() ?? new Error('tried too often')),
  });
  const folder = open(thread);
  await drawPhoto(at('slow.jpg'), '#246');
  await folder.refresh();
  await folder.refresh();
  expect(folder.readProblems()).toEqual(['content/images/slow.jpg takes too long']);
  await drawPhoto(at('later.jpg'), '#642');
  await folder.refresh();
  expect(folder.readProblems()[0]).toBe('content/images/later.jpg cannot be converted: the disk is full');
  await folder.refresh();
  expect(folder.readProblems()[0]).toBe('content/images/later.jpg tried too often');
});

it('ends a thread whose image takes longer than its time', async () => {
  const thread = new ImageThread(1);
  onTestFinished(() => thread.close());
  const job = { kind: 'convert', source: places.source, name: 'old.jpg' } as const;
  await expect(thread.run({ ...job, built: places.built, converted: content })).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('takes longer than 0.001 s'),
  });
});

const SITE = readContent(SHIPPED_CONTENT);
const show = (name: string, folder: ImageFolder) => async () => ({
  content: { ...SITE, site: { ...SITE.site, name }, pages: new Map(), images: folder.readImages() },
  articles: [],
});

it('draws the sharing images of a site again under new addresses when its name changes, and nothing twice', async () => {
  const thread = new ImageThread();
  const folder = open(thread);
  await folder.refresh();
  const drawn: string[] = [];
  const jobs = vi.spyOn(thread, 'run').mockImplementation(async (job) => {
    if (job.kind !== 'draw' || job.drawing.kind !== 'card') throw new Error('not a card');
    drawn.push(job.drawing.site.name);
    writeFileSync(job.target, job.drawing.site.name);
    return null as never;
  });
  onTestFinished(() => jobs.mockRestore());
  const readHome = () => {
    const address = folder.readImages().drawn?.get('/og/home.png') ?? '';
    const files = [address, '/og/home.png'].map((one) => readFileSync(folder.findFile(one) ?? '', 'utf8'));
    return [address, ...files];
  };
  expect(await folder.draw(show('Desks', folder))).toBe(true);
  const [first = '', ...before] = readHome();
  expect([first, before]).toEqual([
    expect.stringMatching(/^\/og\/home\.[0-9a-f]{10}\.png$/),
    ['Desks', 'Desks'],
  ]);
  expect(await folder.draw(show('Desks', folder))).toBe(false);
  expect(await folder.draw(show('Chairs', folder))).toBe(true);
  const [second = '', ...after] = readHome();
  expect(after).toEqual(['Chairs', 'Chairs']);
  expect(second).not.toBe(first);
  expect(drawn.join(' ')).toBe('Desks Desks Desks Desks Chairs Chairs Chairs Chairs');
  // Those who have the former address still find what they were shown.
  expect(folder.findFile(first)).toBeDefined();
  expect(await open(unused()).draw(show('Chairs', folder))).toBe(false);
});

it('lets an image that was uploaded pass before the rest is drawn', async () => {
  const thread = new ImageThread();
  const folder = open(thread);
  await folder.refresh();
  const done: string[] = [];
  let looking: Promise<unknown> = Promise.resolve();
  const jobs = vi.spyOn(thread, 'run').mockImplementation(async (job) => {
    if (job.kind !== 'draw') throw new Error('not a drawing');
    // The first drawing is in work when the image arrives.
    if (done.length === 0) looking = folder.refresh().then(() => done.push('looked'));
    writeFileSync(job.target, 'drawn');
    done.push(job.drawing.kind);
    return null as never;
  });
  onTestFinished(() => jobs.mockRestore());
  expect(await folder.draw(show('Desks', folder))).toBe(true);
  await looking;
  expect(done).toEqual(['card', 'looked', 'card', 'card', 'card']);
  expect(await folder.draw(show('Desks', folder))).toBe(false);
});

it('says once what is not drawn without the renderer, and shows the images', async () => {
  const missing = new ImageThreadError('ERR_MODULE_NOT_FOUND', 'no renderer');
  const run = vi.fn(() => Promise.reject(missing));
  const folder = open(Object.assign(new ImageThread(), { run }));
  await folder.refresh();
  expect(await folder.draw(show('Desks', folder))).toBe(false);
  expect(run).toHaveBeenCalledTimes(1);
  expect(folder.readProblems()).toEqual([
    'sharing images are not drawn: the optional package @resvg/resvg-js is not installed',
  ]);
  expect([getSrc(folder, 'a.svg') !== undefined, folder.readImages().drawn?.size]).toEqual([true, 0]);
});

it('leaves an image for which the memory does not suffice, and says how much it needs', () => {
  const image = { src: '', width: 8_192, height: 4_096, sources: [] };
  expect(findMemoryProblem(image, 257 * 1_048_576)).toBeNull();
  expect(findMemoryProblem(image, 100 * 1_048_576)).toMatch(/^needs 256 MB of memory .* 100 MB are left/);
  expect(findMemoryProblem(image, -1)).toMatch(/ 0 MB are left/);
  expect(findMemoryProblem({ ...image, width: 100, height: 100 })).toBeNull();
});
