import { type AddressedPiece, assignAddresses } from '../core/pages/assign-addresses.ts';
import type { LinkTargets } from '../core/pages/check-references.ts';
import type { RedirectLine } from '../core/pages/redirects/redirects.ts';
import { buildDefaultPath, parseAddress } from '../core/paths.ts';
import type { ContentDocuments } from './content-folder.ts';
import { splitMarkdown } from './edit-yaml.ts';
import { parseYaml } from './parse-yaml.ts';
import { readTextFile } from './read-text-file.ts';

/** Reads the front matter of an article as its author wrote it; an empty object when it cannot be read. */
export function readArticleFront(
  root: string,
  slug: string,
  held: ContentDocuments | undefined,
  isWanted: (front: string) => boolean = () => true,
): Readonly<Record<string, unknown>> {
  const file = `articles/${slug}.md`;
  const read = held?.has(file) ? { text: String(held.get(file)) } : readTextFile(root, file);
  const front = 'text' in read ? splitMarkdown(read.text)?.front : undefined;
  const parsed = front === undefined || !isWanted(front) ? null : parseYaml(front);
  return parsed !== null && 'value' in parsed ? Object(parsed.value) : {};
}

/** Reads the addresses that pages and articles have of their own, and why some cannot have theirs. */
export function readAddresses(
  root: string,
  targets: LinkTargets,
  redirects: readonly RedirectLine[],
  held: ContentDocuments | undefined,
) {
  const pages = [...targets.pages].flatMap(([path, { address, draft }]): AddressedPiece[] =>
    address === undefined
      ? []
      : [{ file: `pages${path}.yaml`, path, address, publishedAt: '', isDraft: draft }],
  );
  const articles = [...(targets.articles ?? [])].flatMap((slug): AddressedPiece[] => {
    const front = readArticleFront(root, slug, held, (text) => /address['"]?\s*:/.test(text));
    const address = parseAddress(String(front['address'] ?? ''));
    if (address === null) return [];
    const file = `articles/${slug}.md`;
    const { publishedAt = '', draft = false } = front;
    return [
      {
        file,
        path: buildDefaultPath(slug),
        address,
        publishedAt: String(publishedAt),
        isDraft: draft === true,
      },
    ];
  });
  return assignAddresses([...pages, ...articles], targets, redirects);
}
