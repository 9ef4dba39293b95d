import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** A form in which a body can be sent. */
export type Encoding = 'identity' | 'br' | 'gzip';

/** Compression levels: `quick` while somebody waits, `best` behind, for what is sent again. */
const LEVELS = { br: { quick: 5, best: 11 }, gzip: { quick: 4, best: 9 } } as const;
/** What is shorter does not get smaller; bytes. */
const SHORTEST = 200;

/** The bytes of a form; `mark` tells forms apart in a validator. */
export interface Form {
  readonly encoding: Encoding;
  readonly bytes: Buffer;
  readonly mark: string;
}

/** One body, and the forms of it that have been asked for. */
export interface Body {
  readonly identity: Form;
  /** Whether its form depends on what the client takes. */
  readonly varies: boolean;
  /** The smallest form that a client takes; at once when it is there. Asked for again, a form is made smaller behind. */
  pick(accept: string | undefined): Form | Promise<Form>;
}

/** One at a time, so that requests keep the machine. */
let improving: Promise<unknown> = Promise.resolve();

/** Creates a body. `made`: forms that were compressed as well as can be, ahead. */
export function createBody(
  content: Buffer,
  made: Readonly<Partial<Record<'br' | 'gzip', Buffer>>> = {},
): Body {
  if (content.length < SHORTEST) return createPlainBody(content);
  const identity: Form = { encoding: 'identity', bytes: content, mark: '' };
  const forms = new Map<Encoding, Form | Promise<Form>>();
  const settled = new Set<Encoding>();
  for (const encoding of ['br', 'gzip'] as const) {
    const bytes = made[encoding];
    if (bytes === undefined) continue;
    forms.set(encoding, { encoding, bytes, mark: `-${encoding}` });
    settled.add(encoding);
  }
  const make = async (encoding: 'br' | 'gzip', level: 'quick' | 'best'): Promise<Form> => {
    const bytes = await compress(content, encoding, LEVELS[encoding][level]);
    const form =
      bytes.length < content.length
        ? { encoding, bytes, mark: level === 'best' ? `-${encoding}` : `-${encoding}-quick` }
        : identity;
    forms.set(encoding, form);
    return form;
  };
  const improve = (encoding: 'br' | 'gzip') => {
    settled.add(encoding);
    improving = improving.then(() => make(encoding, 'best')).catch(() => settled.delete(encoding));
  };
  return {
    identity,
    varies: true,
    pick(accept) {
      const encoding = pickEncoding(accept);
      if (encoding === 'identity') return identity;
      const form = forms.get(encoding);
      if (form === undefined) {
        const making = make(encoding, 'quick');
        forms.set(encoding, making);
        making.catch(() => forms.delete(encoding));
        return making;
      }
      if (!(form instanceof Promise) && !settled.has(encoding)) improve(encoding);
      return form;
    },
  };
}

/** A body that compression does not make smaller. */
export function createPlainBody(bytes: Buffer): Body {
  const identity: Form = { encoding: 'identity', bytes, mark: '' };
  return { identity, varies: false, pick: () => identity };
}

/** Compresses as well as can be, once for every time that it is sent. */
export async function compressBest(content: Buffer): Promise<Readonly<Record<'br' | 'gzip', Buffer>>> {
  const [br, zipped] = await Promise.all([
    compress(content, 'br', LEVELS.br.best),
    compress(content, 'gzip', LEVELS.gzip.best),
  ]);
  return { br, gzip: zipped };
}

function compress(content: Buffer, encoding: 'br' | 'gzip', level: number): Promise<Buffer> {
  if (encoding === 'gzip') return deflate(content, { level });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return brotli(content, {
    params: { [BROTLI_PARAM_QUALITY]: level, [BROTLI_PARAM_SIZE_HINT]: content.length },
  });
}

/** The best form the client takes: its `Accept-Encoding` without a form it refuses (`;q=0`). */
export function pickEncoding(accept: string | undefined): Encoding {
  if (accept === undefined) return 'identity';
  if (takes(accept, 'br')) return 'br';
  return takes(accept, 'gzip') ? 'gzip' : 'identity';
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
