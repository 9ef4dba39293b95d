import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseCopyPlace } from '../../src/server/settings.ts';
import { openCopyTarget } from '../../src/sources/storage/s3-bucket.ts';
import { buildCopyName, buildSegmentName, CopyConflictError } from '../../src/stores/copy-segments.ts';
import { startBucketServer } from '../support/bucket-server.ts';
import { createFolder } from '../support/create-folder.ts';

const copy = buildCopyName(Date.UTC(2026, 10, 26));
const name = (sequence: number) => buildSegmentName(copy, sequence);

async function createBucket() {
  const server = await startBucketServer(createFolder());
  onTestFinished(() => server.close());
  return { server, target: openCopyTarget(parseCopyPlace(server.address), server.credentials) };
}

/** Asserts the contract of the port. `create` returns an empty place each time. */
function describeCopyTarget(title: string, create: () => Promise<ReturnType<typeof openCopyTarget>>): void {
  describe(`copy target: ${title}`, () => {
    it('is empty at first', async () => {
      const target = await create();
      expect(await target.list()).toEqual([]);
      expect(await target.get(name(1))).toBeNull();
    });

    it('returns every byte as it was written, and lists names in their order', async () => {
      const target = await create();
      const content = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256);
      for (const sequence of [1, 3, 2, 20]) await target.put(name(sequence), content);
      expect(await target.list()).toEqual([1, 2, 3, 20].map(name));
      expect(Buffer.compare((await target.get(name(3))) ?? new Uint8Array(), content)).toBe(0);
    });

    it('is written once: the same again changes nothing, and another content is a conflict', async () => {
      const target = await create();
      await target.put(name(1), Uint8Array.of(1, 2));
      await target.put(name(1), Uint8Array.of(1, 2));
      await expect(target.put(name(1), Uint8Array.of(3))).rejects.toThrow(CopyConflictError);
      expect([...((await target.get(name(1))) ?? [])]).toEqual([1, 2]);
    });

    it('removes an object, and ignores one that is not there', async () => {
      const target = await create();
      for (const sequence of [1, 2]) await target.put(name(sequence), Uint8Array.of(sequence));
      await target.remove(name(1));
      await target.remove(name(1));
      expect(await target.list()).toEqual([name(2)]);
    });
  });
}

describeCopyTarget('folder', async () => {
  const folder = path.join(createFolder(), 'copies');
  mkdirSync(folder);
  return openCopyTarget(parseCopyPlace(folder), '');
});
describeCopyTarget('bucket', async () => (await createBucket()).target);

it('lists more names than one response of a bucket has', { tags: ['rest'], timeout: 60_000 }, async () => {
  const { target } = await createBucket();
  const names = Array.from({ length: 1_100 }, (_, index) => name(index + 1));
  for (let first = 0; first < names.length; first += 50)
    await Promise.all(names.slice(first, first + 50).map((one) => target.put(one, Uint8Array.of(1))));
  expect(await target.list()).toEqual(names);
});

it('says why a bucket refuses, and that it does not respond', async () => {
  const { server } = await createBucket();
  const wrong = openCopyTarget(parseCopyPlace(server.address), 'S3RVER:another');
  await expect(wrong.put(name(1), Uint8Array.of(1))).rejects.toThrow(
    'refuses PUT: 403 SignatureDoesNotMatch',
  );
  server.fail(503);
  await expect(wrong.list()).rejects.toThrow('refuses GET: 503 SlowDown');
  const gone = openCopyTarget(parseCopyPlace('s3://copies?endpoint=http://127.0.0.1:9'), 'S3RVER:S3RVER');
  await expect(gone.get(name(1))).rejects.toThrow('the bucket does not respond');
});

it.each(['s3://', 's3://Bucket', 's3://b/p?endpoint=http://s3.example.com', 's3://b/../p x'])(
  'refuses %s',
  (place) => expect(parseCopyPlace(place)).toBeNull(),
);
