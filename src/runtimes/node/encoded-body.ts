import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };

type Compression = 'br' | 'gzip';

/** One encoding of a body. */
export interface Variant {
  /** Value of `Content-Encoding`. */
  readonly encoding: 'identity' | Compression;
  readonly bytes: Buffer<ArrayBuffer>;
  /** Appended to the body's ETag, so that every encoding has its own. */
  readonly etagSuffix: string;
}

/** `fast` while a client waits, `max` in the background for what is sent again. */
const LEVELS = { br: { fast: 5, max: 11 }, gzip: { fast: 4, max: 9 } } as const;
/** Shorter bodies do not get smaller. */
const MIN_BYTES = 200;

/** Background compressions run one after another, so that requests come first. */
let improving: Promise<unknown> = Promise.resolve();
/** Background compressions that run or wait; each takes up to 0.3 s, so that the process is soon idle. */
let improvements = 0;
const MAX_IMPROVEMENTS = 4;

/** Compressions that run at the same time: Node has four threads for them, and each that waits takes megabytes. */
const MAX_CONCURRENT = 4;
let running = 0;
const waiting: (() => void)[] = [];

/** A body and its compressed variants, each created on its first request. */
export class EncodedBody {
  readonly identity: Variant;
  /** Whether the variant depends on the encodings that the client accepts. */
  readonly varies: boolean;
  readonly #variants = new Map<Compression, Variant | Promise<Variant>>();
  readonly #improved = new Set<Compression>();
  readonly #isRepeated: boolean;

  /**
   * `isRepeated`: the body is probably sent often, so that it may be compressed again at the highest level.
   * `precompressed`: variants that the build created at that level.
   */
  constructor(
    content: Buffer<ArrayBuffer>,
    options: {
      readonly isCompressible?: boolean;
      readonly isRepeated?: boolean;
      readonly precompressed?: Readonly<Partial<Record<Compression, Buffer<ArrayBuffer>>>>;
    } = {},
  ) {
    const { isCompressible = true, isRepeated = true, precompressed = {} } = options;
    this.#isRepeated = isRepeated;
    this.identity = { encoding: 'identity', bytes: content, etagSuffix: '' };
    this.varies = isCompressible && content.length >= MIN_BYTES;
    for (const encoding of ['br', 'gzip'] as const) {
      const bytes = precompressed[encoding];
      if (bytes === undefined) continue;
      this.#variants.set(encoding, { encoding, bytes, etagSuffix: `-${encoding}` });
      this.#improved.add(encoding);
    }
  }

  /**
   * Selects the smallest variant that an `Accept-Encoding` header allows, without waiting when it exists. The second
   * request for a variant compresses it again in the background, at the highest level, unless others are waiting.
   */
  select(acceptEncoding: string | undefined): Variant | Promise<Variant> {
    const encoding = this.varies ? selectEncoding(acceptEncoding) : 'identity';
    if (encoding === 'identity') return this.identity;
    const known = this.#variants.get(encoding);
    if (known === undefined) return this.#start(encoding);
    if (!(known instanceof Promise) && !this.#improved.has(encoding)) this.#improve(encoding);
    return known;
  }

  #start(encoding: Compression): Promise<Variant> {
    const pending = this.#compress(encoding, 'fast');
    this.#variants.set(encoding, pending);
    pending.catch(() => this.#variants.delete(encoding));
    return pending;
  }

  #improve(encoding: Compression): void {
    if (!this.#isRepeated || improvements >= MAX_IMPROVEMENTS) return;
    this.#improved.add(encoding);
    improvements += 1;
    improving = improving
      .then(() => this.#compress(encoding, 'max'))
      .catch(() => this.#improved.delete(encoding))
      .finally(() => {
        improvements -= 1;
      });
  }

  async #compress(encoding: Compression, effort: 'fast' | 'max'): Promise<Variant> {
    const bytes = await compress(this.identity.bytes, encoding, LEVELS[encoding][effort]);
    const etagSuffix = effort === 'max' ? `-${encoding}` : `-${encoding}-fast`;
    const isSmaller = bytes.length < this.identity.bytes.length;
    const variant = isSmaller ? { encoding, bytes, etagSuffix } : this.identity;
    this.#variants.set(encoding, variant);
    return variant;
  }
}

/** Whether bodies of a content type get smaller by compression. */
export function isCompressible(contentType: string): boolean {
  return /^text\/|[/+](json|xml)\b/.test(contentType);
}

/** Compresses at the highest level; for files that are compressed once and sent many times. */
export async function compressFully(
  content: Buffer<ArrayBuffer>,
): Promise<Readonly<Record<Compression, Buffer<ArrayBuffer>>>> {
  const [br, zipped] = await Promise.all([
    compress(content, 'br', LEVELS.br.max),
    compress(content, 'gzip', LEVELS.gzip.max),
  ]);
  return { br, gzip: zipped };
}

async function compress(content: Buffer, encoding: Compression, level: number): Promise<Buffer<ArrayBuffer>> {
  if (running >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await runCompressor(content, encoding, level);
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

function runCompressor(content: Buffer, encoding: Compression, level: number): Promise<Buffer<ArrayBuffer>> {
  if (encoding === 'gzip') return compressors.gzip(content, { level });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, BROTLI_PARAM_LGWIN } = constants;
  // A window that is larger than the content takes memory and saves no byte.
  const windowBits = Math.min(Math.max(Math.ceil(Math.log2(content.length + 1)) + 1, 16), 22);
  return compressors.br(content, {
    params: {
      [BROTLI_PARAM_QUALITY]: level,
      [BROTLI_PARAM_SIZE_HINT]: content.length,
      [BROTLI_PARAM_LGWIN]: windowBits,
    },
  });
}

/** The best encoding that the client accepts; one with `q=0` is refused. */
export function selectEncoding(acceptEncoding: string | undefined): Variant['encoding'] {
  if (acceptEncoding === undefined) return 'identity';
  if (accepts(acceptEncoding, 'br')) return 'br';
  return accepts(acceptEncoding, 'gzip') ? 'gzip' : 'identity';
}

function accepts(acceptEncoding: string, encoding: Compression): boolean {
  return acceptEncoding.split(',').some((part) => {
    const [name, ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
