import type { Content } from '../content.ts';
import type { Claim } from './claim.schema.ts';
import { listMarkedClaims, listNames, listTexts, type TextPath } from './placeholders.ts';

const VERB =
  /\b(?:claim(?:s|ed)?|promis(?:es?|ed)|advertis(?:es?|ed?)|say(?:s|ing)?|said|stat(?:es?|ed)|quot(?:es?|ed)|puts?|own|according to)\b/i;
const OFFER = /\b(?:the|training|their) offers?\b(?:['’]s)?/i;
const PROVIDER = /\bthe (?:provider|vendor|company|platform)\b(?:['’]s)?/i;
const BARE = /(?:^|[.!?]\s+)["“]?(?:Promised|Claimed|Advertised):/;

/** A sentence that gives a claim to someone who has not made it. */
export interface ClaimantFault {
  readonly path: TextPath;
  /** Whom it names. */
  readonly found: string;
}

/**
 * Finds sentences that give a claim to *the offer* or, in the sentence that makes it, to *the provider* or a product, whose claim
 * the register does not say it is. `value`: a part of a file, such as a section.
 */
export function findClaimantFaults(
  value: unknown,
  { claims, figures, products }: Pick<Content, 'claims' | 'figures' | 'products'>,
): readonly ClaimantFault[] {
  const find = (text: string) =>
    listNames(text).flatMap((name) => {
      const [group, key = ''] = name.split(':');
      const keys = group === 'claim' ? key.split('.', 1) : listMarkedClaims(figures.get(name) ?? '');
      return keys.flatMap((one) => claims.get(one) ?? []);
    });
  const brands = [...products.values()].map(({ name }) => name);
  const texts = listTexts(value);
  const isMaking = texts.some(({ text }) => find(text).length > 0);
  return texts.flatMap(({ text, path }) =>
    text.split(/(?<=[.!?]["”’)]*)\s+|\n{2,}/).flatMap((written) => {
      const made = find(written);
      const sentence = written.replace(/\{[^}]*\}/g, '…');
      if (made.length > 0 && BARE.test(sentence)) return [{ path, found: 'no one' }];
      if (!VERB.test(sentence)) return [];
      const [offer] = isMaking ? (OFFER.exec(sentence) ?? []) : [];
      if (offer !== undefined) return [{ path, found: offer }];
      const named = [PROVIDER.exec(sentence)?.[0], ...brands.filter((name) => sentence.includes(name))];
      const wrong = named.find(
        (name) => name !== undefined && made.some((claim) => !isMadeBy(claim, name, brands)),
      );
      return wrong === undefined ? [] : [{ path, found: wrong }];
    }),
  );
}

/** Whether the register gives a claim to a brand, or for *the provider* to any of them. */
function isMadeBy({ claimedBy }: Claim, name: string, brands: readonly string[]): boolean {
  if (typeof claimedBy !== 'object') return false;
  return brands.includes(name) ? claimedBy.name.includes(name) : true;
}
