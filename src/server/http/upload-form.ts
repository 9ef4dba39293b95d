import type { ArrivingFile, UploadFolder } from '../../stores/upload-folder.ts';
import { RequestBodyError } from './request-body.ts';

/** All fields without the files; parsing megabytes of them would take seconds. */
const MAX_FIELDS_BYTES = 262_144;
const MAX_HEAD_BYTES = 16_384;

/**
 * Reads a posted form as it arrives (RFC 7578), its files into a folder: memory does not grow with them. `findMax` has the
 * fields before a file, and tells how many bytes all files may have; with 0 the rest of the body is not read, and the
 * form has what came before. Rejects with `RequestBodyError`, which leaves nothing in the folder, or with the error of the
 * file system. The caller releases the form.
 */
export async function receiveForm(
  request: Request,
  folder: UploadFolder,
  findMax: (fields: FormData) => number | Promise<number>,
): Promise<FormData> {
  const [, boundary] = /;\s*boundary="?([^";]+)/i.exec(request.headers.get('content-type') ?? '') ?? [];
  const announced = Number(request.headers.get('content-length') ?? 0);
  const form = new FormData();
  if (boundary === undefined || request.body === null) return form;
  let name = '';
  let text: Uint8Array[] = [];
  let arriving: ArrivingFile | null = null;
  let [fieldBytes, fileBytes, max] = [0, 0, 0];
  const endPart = async () => {
    if (arriving !== null) form.append(name, await arriving.finish());
    else if (name !== '') form.append(name, Buffer.concat(text).toString());
    arriving = null;
    text = [];
  };
  try {
    for await (const event of readMultipart(readChunks(request.body), boundary)) {
      if ('name' in event) {
        await endPart();
        name = event.name;
        fieldBytes += name.length;
        if (event.file === null) continue;
        max = await findMax(form);
        if (max === 0) return form;
        refuseBeyond(announced, max + MAX_FIELDS_BYTES);
        arriving = await folder.begin(event.file);
        continue;
      }
      if (arriving === null) {
        fieldBytes += event.length;
        refuseBeyond(fieldBytes, MAX_FIELDS_BYTES);
        // What is before the first part belongs to none.
        if (name !== '') text.push(event);
        continue;
      }
      fileBytes += event.length;
      refuseBeyond(fileBytes, max);
      await (arriving as ArrivingFile).write(event);
    }
    await endPart();
    return form;
  } catch (error) {
    await (arriving as ArrivingFile | null)?.discard();
    await folder.release(form);
    throw error;
  }
}

function refuseBeyond(bytes: number, max: number): void {
  if (bytes > max) throw new RequestBodyError('too-large', `more than ${max} bytes`);
}

async function* readChunks(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new RequestBodyError('unreadable', 'the body did not arrive', { cause });
  }
}

/** The head of a part; `file`: the name that its sender gave it, null for a field. */
interface PartHead {
  readonly name: string;
  readonly file: string | null;
}

/** Reads the head of each part, and after it the bytes of the part as they arrive. */
async function* readMultipart(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<PartHead | Uint8Array> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter has no line end before it.
  let rest = Buffer.from('\r\n');
  let isHead = false;
  let isEnded = false;
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const at = rest.indexOf(isHead ? '\r\n\r\n' : delimiter);
      isEnded ||= isHead && rest.subarray(0, 2).equals(Buffer.from('--'));
      if (isEnded) {
        // A line end follows: who leaves it unread closes the connection.
        refuseBeyond(rest.length, MAX_HEAD_BYTES);
        break;
      }
      if (isHead) {
        refuseBeyond(at === -1 ? rest.length : at, MAX_HEAD_BYTES);
        if (at === -1) break;
        yield parseHead(rest.toString('utf8', 0, at));
        rest = rest.subarray(at + 4);
      } else {
        // The beginning of a delimiter may be at the end.
        const ready = at === -1 ? rest.length - delimiter.length : at;
        if (ready > 0) yield rest.subarray(0, ready);
        rest = rest.subarray(at === -1 ? Math.max(0, ready) : at + delimiter.length);
        if (at === -1) break;
      }
      isHead = !isHead;
    }
  }
  if (!isEnded) throw new RequestBodyError('unreadable', 'the form ended before its last part');
}

/** Browsers write quotes and line ends of names as escapes. */
const ESCAPES = { '%22': '"', '%0D': '\r', '%0A': '\n' } as const;

function parseHead(head: string): PartHead {
  const read = (field: RegExp) =>
    field.exec(head)?.[1]?.replace(/%22|%0D|%0A/g, (code) => ESCAPES[code as keyof typeof ESCAPES]);
  return { name: read(/;\s*name="([^"]*)"/i) ?? '', file: read(/;\s*filename="([^"]*)"/i) ?? null };
}
