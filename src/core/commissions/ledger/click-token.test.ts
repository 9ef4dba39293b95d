import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../../test/support/for-all.ts';
import { buildClickId, encodeClickId, findTokenCandidates, TOKEN_ENCODINGS } from './click-token.ts';

const CLICK = '0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12';
const HEX = CLICK.replaceAll('-', '');

it.each([
  ['as it was sent', CLICK, HEX],
  ['upper-cased', CLICK.toUpperCase(), HEX],
  ['without dashes', HEX, HEX],
  ['upper-cased without dashes', HEX.toUpperCase(), HEX],
  ['in braces', `{${CLICK}}`, HEX],
  ['percent-encoded', CLICK.replaceAll('-', '%2D'), HEX],
  ['percent-encoded twice', CLICK.replaceAll('-', '%252D'), HEX],
  ['cut at 32 characters', CLICK.slice(0, 32), HEX.slice(0, 28)],
  ['without dashes and cut at 30', HEX.slice(0, 30), HEX.slice(0, 30)],
  ['inside a longer text', `sub=${CLICK};x`, HEX],
  ['in base 62', encodeClickId(CLICK, 'base62'), HEX],
])('a token %s is found', (_, text, hex) => expect(findTokenCandidates(text)).toContainEqual({ hex }));

it.each([
  ['nothing', ''],
  ['a word', 'newsletter'],
  ['a short hexadecimal number', 'deadbeef'],
  ['an order number', '2025-11-20-000123'],
  ['an email address', 'a@example.com'],
  ['broken percent-encoding', '%E0%A4%A'],
  ['23 hexadecimal digits', HEX.slice(0, 23)],
  ['33 hexadecimal digits', `${HEX}0`],
  ['22 characters above 128 bits', 'z'.repeat(22)],
])('%s names no click', (_, text) => expect(findTokenCandidates(text)).toEqual([]));

it('every encoding of every click id is found again', () =>
  forAll(1, [fc.uuid(), fc.constantFrom(...TOKEN_ENCODINGS)], (uuid, encoding) => {
    const found = findTokenCandidates(encodeClickId(uuid, encoding)).map(({ hex }) => buildClickId(hex));
    expect(found).toContain(uuid);
  }));

it('uuid and hex32 survive changed case, stripped dashes, double encoding and a limit of 28 characters or more', async () => {
  const mangle = fc.record({
    isUpper: fc.boolean(),
    isStripped: fc.boolean(),
    isEncoded: fc.boolean(),
    limit: fc.integer({ min: 28, max: 64 }),
  });
  await forAll(1, [fc.uuid(), fc.constantFrom('uuid', 'hex32'), mangle], (uuid, encoding, how) => {
    let text = encodeClickId(uuid, encoding);
    if (how.isStripped) text = text.replaceAll('-', '');
    if (how.isUpper) text = text.toUpperCase();
    text = text.slice(0, how.limit);
    if (how.isEncoded) text = encodeURIComponent(encodeURIComponent(text));
    const hex = uuid.replaceAll('-', '');
    expect(findTokenCandidates(text).some((candidate) => hex.startsWith(candidate.hex))).toBe(true);
  });
});

it('no text makes it throw', () =>
  forAll(1, [fc.string({ unit: 'binary', maxLength: 600 })], (text) => {
    for (const { hex } of findTokenCandidates(text)) expect(hex).toMatch(/^[\da-f]{24,32}$/);
  }));
