import { existsSync } from 'node:fs';
import path from 'node:path';
import { LinkRequestError, type SendLinkRequest } from '../sources/links/link-request.ts';
import { createFolder, writeWhole } from '../stores/disk.ts';
import { buildOriginalAddress, type Media, openMedia, parseMediaPath } from './media.ts';

/** What a download of images needs. */
export interface MediaDownload {
  /** Hosts that may be requested besides that of the former site. */
  readonly hosts: readonly string[];
  readonly send: SendLinkRequest;
  readonly userAgent: string;
}

const MAX_IMAGE_BYTES = 20_000_000;
const MAX_TOTAL_BYTES = 4_000_000_000;
const MAX_HOPS = 4;
const DEADLINE_MS = 30_000;
const AT_ONCE = 4;

/** Why an image was not downloaded; continues a sentence that begins with its address. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

/**
 * Downloads images of a former site into a folder, in their original size when there is one, and opens it; a file that is
 * there is not requested again. A request goes to allowed hosts on the public internet alone; a file has at most 20 MB and
 * is what its name says. `onLost` gets the others.
 */
export async function downloadMedia(
  addresses: readonly string[],
  siteHost: string,
  folder: string,
  download: MediaDownload,
  onLost: (address: string, reason: string) => void,
): Promise<Media> {
  createFolder(folder);
  const bare = (host: string) => host.toLowerCase().replace(/^www\./, '');
  const hosts = new Set([siteHost, ...download.hosts].filter(Boolean).map(bare));
  const isAllowed = (url: URL) => /^https?:$/.test(url.protocol) && hosts.has(bare(url.host));
  const queue = [...new Set(addresses)];
  let total = 0;
  const work = async () => {
    for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
      try {
        if (total > MAX_TOTAL_BYTES)
          throw new DownloadError('is not downloaded: all images have more than 4 GB');
        total += await downloadImage(address, folder, download, isAllowed);
      } catch (error) {
        if (!(error instanceof DownloadError)) throw error;
        onLost(address, error.message);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return openMedia(folder);
}

/** Stores an image unless it is there; returns its bytes. */
async function downloadImage(
  address: string,
  folder: string,
  download: MediaDownload,
  isAllowed: (url: URL) => boolean,
): Promise<number> {
  const candidates = [...new Set([buildOriginalAddress(address), address])];
  const files = candidates.map((candidate) => path.join(folder, parseMediaPath(candidate) ?? 'none'));
  if (files.some((file) => existsSync(file))) return 0;
  let last = new DownloadError('is no address of an image');
  for (const [index, candidate] of candidates.entries()) {
    const file = files[index];
    if (file === undefined || !URL.canParse(candidate)) continue;
    try {
      const bytes = await requestImage(new URL(candidate), download, isAllowed);
      if (!isImage(file, bytes)) throw new DownloadError('is not the image that its name says');
      createFolder(path.dirname(file));
      writeWhole(file, bytes);
      return bytes.length;
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      last = error;
    }
  }
  throw last;
}

/** Reads an image of at most 20 MB from an allowed host. Rejects with `DownloadError`. */
export async function requestImage(
  start: URL,
  { send, userAgent }: Omit<MediaDownload, 'hosts'>,
  isAllowed: (url: URL) => boolean = ({ protocol }) => /^https?:$/.test(protocol),
): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  let current = start;
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    if (!isAllowed(current))
      throw new DownloadError(
        current.host === ''
          ? 'has no web address'
          : `is on the host ${current.host}: name it with --media-hosts to download it`,
      );
    const headers = { accept: 'image/*', 'user-agent': userAgent };
    const response = await send(current, { headers, signal, maxBytes: MAX_IMAGE_BYTES + 1 }).catch(
      (error: unknown) => {
        if (signal.aborted) throw new DownloadError('did not arrive within 30 seconds');
        if (error instanceof LinkRequestError)
          throw new DownloadError(`cannot be downloaded: ${error.problem}`);
        throw error;
      },
    );
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status <= 399 && location !== null) {
      if (!URL.canParse(location, current)) throw new DownloadError('redirects to no web address');
      current = new URL(location, current);
      continue;
    }
    if (response.status !== 200) throw new DownloadError(`responds with ${response.status}`);
    if (response.body.length > MAX_IMAGE_BYTES) throw new DownloadError('is larger than 20 MB');
    if (!/^image\//i.test(response.headers.get('content-type') ?? '')) throw new DownloadError('is no image');
    return response.body;
  }
  throw new DownloadError('redirects too often');
}

/** Whether bytes begin as files with this ending do. */
export function isImage(file: string, bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  const ending = path.extname(file).toLowerCase();
  if (ending === '.png') return head.startsWith('\x89PNG');
  if (ending === '.webp') return head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP';
  if (ending === '.avif') return head.slice(4, 12).startsWith('ftypavi');
  if (ending === '.gif') return /^GIF8[79]a/.test(head);
  if (ending === '.svg') return /<svg[\s>]/i.test(head);
  return head.startsWith('\xff\xd8\xff');
}
