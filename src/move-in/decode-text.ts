import { analyse } from 'chardet';
import { MoveInError } from './former-item.ts';

/** How sure it has to be of an encoding that nothing declares, in percent. */
const SURE = 30;

/** The encoding that bytes begin to declare, by their mark or in the declaration of XML; null without one. */
export function findDeclared(bytes: Uint8Array): string | null {
  const [first = -1, second = -1, third = -1] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return /^\s*<\?xml[^<>]*\sencoding=["']([\w.:-]+)["']/i.exec(head)?.[1] ?? null;
}

/** Creates what decodes a text of that encoding, and throws for bytes that it does not have. Throws `MoveInError`. */
export function createDecoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new MoveInError(`its encoding "${encoding}" is not known: save it as UTF-8.`);
  }
}

/**
 * Decodes a text of any encoding: that of its mark or declaration, else UTF-8, else the one that its bytes are most like, which
 * `onFound` is told. Throws `MoveInError` when none of them fits; no letter is replaced.
 */
export function decodeText(
  name: string,
  bytes: Uint8Array,
  onFound: (reason: string) => void = () => undefined,
): string {
  const declared = findDeclared(bytes);
  try {
    return createDecoder(declared ?? 'utf-8').decode(bytes);
  } catch (error) {
    if (error instanceof MoveInError) throw new MoveInError(`${name}: ${error.message}`);
    const [best] = analyse(bytes);
    const found = best?.name ?? 'unknown';
    if (declared !== null || best === undefined || best.confidence < SURE)
      throw new MoveInError(
        `${name} is not in ${declared ?? 'UTF-8'}, and looks like ${found}: save it as UTF-8.`,
      );
    onFound(`is not in UTF-8, and was read as ${found}: compare its letters`);
    return createDecoder(found).decode(bytes);
  }
}
