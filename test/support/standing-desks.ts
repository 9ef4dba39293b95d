import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Words of software that is paid by the month. */
export const SUBSCRIPTION_WORDS =
  /\btrials?\b|subscri|\bplatforms?\b|\bmonth(s|ly)?\b|\byearly\b|\b(per|a) (year|seat)\b|\bsoftware\b/i;

/** The addresses that `writeStandingDesks` adds. */
export const DESK_ROUTES = ['/roundup', '/versus', '/review'];

const buildDesk = (name: string, price: number, day: string) => `
name: ${name}
kind: physical
maker: Desk Company
verdict: A steady desk that is loud when it moves.
for: [Tall people]
notFor: [Shared rooms]
pros: [Steady at full height, Ten years of warranty]
cons: [Loud motor, Heavy]
sources:
  shop: { title: Desk Shop, href: "https://shop.example/desk", checked: ${day} }
  store: { title: Desk Store, href: "https://store.example/desk", checked: ${day} }
offers:
  shop: { name: Desk Shop, partner: shop, price: ${price}, billed: once, country: US, source: shop }
  store: { name: Desk Store, partner: store, price: ${price - 50}, currency: EUR, billed: once, country: DE, source: store }
`;

/**
 * Adds two shops, two desks and their pages to the content of a new site, whose pages `create` creates with
 * `signpost new page`; their texts are replaced, so that they can be published.
 */
export async function writeStandingDesks(
  root: string,
  create: (kind: string) => Promise<unknown> | unknown,
): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const partner = readFileSync(path.join(root, 'partners/example.yaml'), 'utf8');
  for (const key of ['shop', 'store']) {
    const own = partner
      .replace(/^key: .*$/m, `key: ${key}`)
      .replace(/^redirect: .*$/m, `redirect: ${key === 'store' ? 'no' : 'http'}`)
      .replace('Example Product', `Desk ${key}`);
    writeFileSync(path.join(root, `partners/${key}.yaml`), own);
  }
  writeFileSync(path.join(root, 'products/desk-one.yaml'), buildDesk('Desk One', 499, day));
  writeFileSync(path.join(root, 'products/desk-two.yaml'), buildDesk('Desk Two', 799, day));
  for (const kind of ['roundup', 'versus', 'review']) {
    await create(kind);
    const file = path.join(root, `pages/${kind}.yaml`);
    const text = readFileSync(file, 'utf8').replace(
      /Say [^\n"}\],]*|Running text in Markdown\.|readers whom you name|Give the answer first[^\n]*/g,
      'A sentence about desks',
    );
    const about = `A ${kind} of standing desks with prices at two shops, and for whom each is the right choice.`;
    writeFileSync(
      file,
      text
        .replace(/^description: .*$/m, `description: ${about}`)
        .replace('draft: true\n', '')
        .replace('      - { product: example }\n', ''),
    );
  }
}
