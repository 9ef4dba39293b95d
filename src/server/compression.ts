import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** One body in every form that is sent. Forms that would not be smaller are left out. */
export interface Encodings {
  readonly identity: Buffer;
  readonly br?: Buffer;
  readonly gzip?: Buffer;
}

/** Compresses what is sent once: quickly, and in the one form that nearly everybody takes. */
export async function buildQuickEncodings(body: Buffer): Promise<Encodings> {
  if (body.length < 512) return { identity: body };
  const br = await brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } });
  return br.length < body.length ? { identity: body, br } : { identity: body };
}

/** Compresses once, to be sent often. `quality` is brotli's, 0 to 11. */
export async function buildEncodings(body: Buffer, quality: number): Promise<Encodings> {
  if (body.length < 200) return { identity: body };
  const [br, zipped] = await Promise.all([
    brotli(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
    deflate(body, { level: quality < 9 ? 4 : 9 }),
  ]);
  return {
    identity: body,
    ...(br.length < body.length ? { br } : {}),
    ...(zipped.length < body.length ? { gzip: zipped } : {}),
  };
}

/** The best form the client takes: its `Accept-Encoding` without a form it refuses (`;q=0`). */
export function pickEncoding(accept: string | undefined, encodings: Encodings): keyof Encodings {
  if (accept === undefined) return 'identity';
  if (encodings.br !== undefined && takes(accept, 'br')) return 'br';
  return encodings.gzip !== undefined && takes(accept, 'gzip') ? 'gzip' : 'identity';
}

function takes(accept: string, encoding: string): boolean {
  return accept.split(',').some((part) => {
    const [name, ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
