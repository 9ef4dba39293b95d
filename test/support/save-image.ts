// Replaces an image in the folders of argv[2] again and again, each time by another one, until the process is killed.
import path from 'node:path';
import sharp from 'sharp';
import { ImageFolder } from '../../src/content-files/image-folder.ts';
import { ImageStore } from '../../src/content-files/image-store.ts';
import { listPlaces } from './image-places.ts';

const [, , root = ''] = process.argv;
const places = listPlaces(root);
const store = new ImageStore(path.dirname(places.source));
const folder = new ImageFolder(places);
const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const;
for (;;) {
  const photo = sharp({ create: { width: 900, height: 700, channels: 3, background: '#000', noise } });
  const file = new File([new Uint8Array(await photo.jpeg().toBuffer())], 'photo.jpg');
  const found = store.list().find((image) => image.path === 'photo.jpg');
  const done = await (found === undefined
    ? store.add(file, { folder: '', name: 'photo' })
    : store.replace('photo.jpg', file, found.version));
  process.stdout.write('problem' in done ? `${done.problem}\n` : 'saved\n');
  await folder.refresh();
  process.stdout.write('shown\n');
}
