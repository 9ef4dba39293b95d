import { leadTarget } from '../core/pages/addresses.ts';
import { type JudgedAt, type JudgedFile, judgeFile } from '../core/pages/claims/content-rules.ts';
import type { Content } from '../core/pages/content.ts';
import { buildDossier, type Dossier, type DossierInput } from '../core/pages/dossier.ts';
import { buildDefaultPath } from '../core/paths.ts';
import { listArticleSlugs } from './articles/read-article-files.ts';
import { openJudgedText } from './check-rules.ts';
import { collectSources } from './collect-sources.ts';
import { listFilesBelow, readTextFile } from './read-text-file.ts';

/** Lists the files that have a dossier: pages and articles, with the path of each. */
export const listPieces = (root: string, { pages, addresses }: Content) => [
  ...[...pages.keys()].map((path) => ({ file: `pages${path}.yaml`, path })),
  ...listArticleSlugs(`${root}/articles`).map((slug) => ({
    ...{ file: `articles/${slug}.md`, path: leadTarget(buildDefaultPath(slug), addresses) },
  })),
];

/** Rules whose findings in other files are about a page. */
const listOthers = ({ product, file }: JudgedFile): readonly (readonly [file: string, rules: RegExp])[] => [
  ['site.yaml', /^(?:operator|sample-quotes|accessibility)$/],
  [file === 'pages/privacy.yaml' ? '' : 'pages/privacy.yaml', /^privacy-list$/],
  [product === undefined ? '' : `products/${product.key}.yaml`, /^price-age$/],
];

/** Reads the dossier of a page or an article from the content folder; null for a file without one. */
export function readDossier(
  root: string,
  file: string,
  content: Content,
  at: JudgedAt,
  versions: DossierInput['versions'],
): Dossier | null {
  const open = (name: string) => {
    const read = readTextFile(root, name);
    return 'problem' in read ? undefined : openJudgedText(name, read.text, content, at)?.judged;
  };
  const piece = listPieces(root, content).find((one) => one.file === file);
  const judged = piece && open(file);
  if (piece === undefined || judged === undefined) return null;
  const statements = collectSources(root, content).filter(({ uses }) => uses.includes(piece.path));
  const used = new Set(statements.map(({ name }) => name));
  const judge = (name: string) => [open(name) ?? []].flat().flatMap(judgeFile);
  const findings = [
    ...judgeFile(judged),
    ...listOthers(judged).flatMap(([name, rules]) => judge(name).filter(({ rule }) => rules.test(rule))),
    // Of the claims, those that the page makes.
    ...listFilesBelow(root, 'claims')
      .flatMap(judge)
      .filter((one) => used.has(`claim:${one.path[0]}`)),
  ];
  const path = leadTarget(piece.path, content.addresses);
  return buildDossier({
    path,
    title: String(judged.fields.title ?? file),
    judged,
    findings,
    statements,
    versions,
  });
}
