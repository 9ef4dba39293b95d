import path from 'node:path';
import { readImageCatalog } from '../../scripts/build/read-image-catalog.ts';
import { ContentFiles, type FileChange, type SavedTogether } from '../content-files/content-files.ts';
import { hasDrafts, Piece, type PlanRefusal } from '../content-files/edit/piece.ts';
import {
  findPieceAddress,
  listOwnPaths,
  type PieceAddress,
  type PlannedContent,
  planDeparture,
  planRename,
} from '../content-files/edit/plan-address.ts';
import { planOwnAddress } from '../content-files/edit/plan-redirects.ts';
import { planState, type StateWish } from '../content-files/edit/plan-state.ts';
import { ContentJournal, createOwnerReader } from '../content-files/journal.ts';
import { hashText } from '../content-files/parse-yaml.ts';
import { readContent } from '../content-files/read-content.ts';
import { leadTarget } from '../core/pages/addresses.ts';
import { type Content, ContentError } from '../core/pages/content.ts';
import { ASSESSMENT_PATH, BLOG_PATH, buildDefaultPath, HOME_PATH } from '../core/paths.ts';
import { findNearest } from '../core/text/words.ts';
import type { Settings } from '../server/settings.ts';
import type { ContentVersions } from '../stores/content-versions.ts';
import { type CommandIo, chooseSubcommand, formatJson, UsageError } from './command.ts';
import type { DataFolderSite } from './site.ts';

/** What an edit writes, in its order; `file` has the versions of the piece from then on. */
interface Plan {
  readonly changes: readonly FileChange[];
  readonly message: string;
  readonly file: string;
}

/** The options of an edit; those that are not given are undefined or false. */
export interface EditOptions {
  readonly to?: string | undefined;
  readonly nowhere: boolean;
  readonly 'dry-run': boolean;
  readonly 'keep-links': boolean;
  readonly 'keep-date': boolean;
  readonly at?: string | undefined;
}

/** Plans an edit of a file; `address` is null for a file without a page of its own. */
type PlanEdit = (
  planned: PlannedContent,
  { file, address }: { readonly file: string; readonly address: PieceAddress | null },
  options: EditOptions,
  name: string,
) => Plan | PlanRefusal;

const EDITS: Readonly<
  Record<
    string,
    { readonly words: number; readonly options: readonly (keyof EditOptions)[]; readonly plan: PlanEdit }
  >
> = {
  rename: {
    words: 3,
    options: ['keep-links'],
    plan: (planned, { file, address }, options, name) =>
      address === null
        ? refuseAddress(file)
        : planRename(planned, address, { name, rewritesLinks: !options['keep-links'] }),
  },
  remove: { words: 2, options: ['to', 'nowhere'], plan: planEnd('remove') },
  'take-down': { words: 2, options: ['to', 'nowhere'], plan: planEnd('take-down') },
  publish: {
    words: 2,
    options: ['at', 'keep-date'],
    plan: (planned, piece, { at, 'keep-date': keepsDate }) =>
      planChange(
        planned,
        piece,
        at === undefined ? { kind: 'publish', keepsDate } : { kind: 'schedule', at },
      ),
  },
  draft: {
    words: 2,
    options: [],
    plan(planned, piece) {
      const { file, address } = piece;
      const isSeen =
        address !== null && new Piece(file, planned.texts.get(file)?.text ?? '').isShown(planned);
      return isSeen
        ? { problem: `Visitors see ${address.path}: use take-down, which asks where its address leads.` }
        : planChange(planned, piece, { kind: 'take-down' });
    },
  },
};

/** Whether a word of the command line edits a file. */
export const isEdit = (word: string) => Object.hasOwn(EDITS, word);

/**
 * Edits a file of the content folder as the console does: with its redirect, the links to it and its versions. Throws with the
 * reason when it is refused.
 */
export async function editContent(
  words: readonly string[],
  options: EditOptions,
  isJson: boolean,
  io: CommandIo,
  site: DataFolderSite,
): Promise<void> {
  const [word = '', written = '', name = ''] = words;
  const edit = chooseSubcommand(EDITS, words, 'Name the file, and its new name for rename.');
  checkOptions(word, ['dry-run', ...edit.options], options);
  const settings = site.readSettings('CONTENT_DIR', 'DATA_DIR', 'SITE_URL', 'TIME_ZONE');
  const hasArticleFiles = hasFileArticles(site);
  const root = path.resolve(settings.CONTENT_DIR);
  const images = await readImageCatalog(root);
  const journal = new ContentJournal(root, createOwnerReader(path.resolve(settings.DATA_DIR)));
  const files = new ContentFiles(root, () => images, journal);
  const planned = readPlanned(files, settings, readContent(root, { images }), hasArticleFiles);
  const file = findFile(planned, written);
  const address = findPieceAddress(file, hasArticleFiles);
  const plan = edit.plan(planned, { file, address }, options, name);
  if ('problem' in plan) throw new Error(plan.problem);
  const saving = { ...planned, hasArticleFiles };
  const problems = files.checkTogether(plan.changes, hasArticleFiles);
  if (problems.length > 0) throw new Error(describeFailure({ outcome: 'invalid', problems }));
  const fault = files.findUnpublishable(plan.changes, saving);
  if (fault !== null) throw new Error(describeFailure(fault));
  if (!options['dry-run']) {
    const versions = site.openVersionStore();
    // What is replaced can be put back, whatever happens next.
    await storeTexts(versions, plan.changes, (change) => planned.texts.get(change.file)?.text);
    const saved = files.saveTogether(plan.changes, saving);
    if (saved.outcome !== 'saved') throw new Error(describeFailure(saved));
    if (plan.file !== file) await versions.move(file, plan.file);
    await storeTexts(versions, plan.changes, ({ text }) => text);
  }
  const changes = plan.changes.map((one) => ({
    file: one.file,
    change: one.text === null ? 'remove' : 'write',
  }));
  const lines = changes.map((one) => `  ${one.change.padEnd(6)}  content/${one.file}\n`).join('');
  const start = options['dry-run'] ? 'Nothing was written. It would be: ' : '';
  const { message } = plan;
  io.stdout.write(isJson ? formatJson({ message, changes }) : `${start}${message}\n${lines}`);
}

/** Whether the articles of the site are files of its content folder. */
export const hasFileArticles = ({ environment }: DataFolderSite) =>
  ['', 'files'].includes((environment['ARTICLE_SOURCE'] ?? '').trim());

/** Refuses options that a word of the command line does not take, or that exclude each other. */
export function checkOptions(
  word: string,
  taken: readonly (keyof EditOptions)[],
  options: EditOptions,
): void {
  const names = ['to', 'nowhere', 'keep-links', 'keep-date', 'at', 'dry-run'] as const;
  const wrong = names.find((name) => options[name] && !taken.includes(name));
  if (wrong !== undefined) throw new UsageError(`--${wrong} does not go with ${word || 'a check'}.`);
  if (options.to !== undefined && options.nowhere) throw new UsageError('Choose one of --to and --nowhere.');
  if (options.at !== undefined && options['keep-date'])
    throw new UsageError('Choose one of --at and --keep-date.');
}

function readPlanned(
  files: ContentFiles,
  settings: Settings,
  content: Content,
  hasArticleFiles: boolean,
): PlannedContent {
  const time = { now: Date.now(), timeZone: settings.TIME_ZONE };
  const listed = files.list().map(({ file }) => file);
  const texts = new Map(
    listed.flatMap((file) => {
      const read = files.read(file);
      return 'text' in read ? [[file, read] as const] : [];
    }),
  );
  const articles = hasArticleFiles ? listed.filter((file) => file.endsWith('.md')) : [];
  return {
    ...time,
    content,
    texts,
    files: new Set(listed),
    redirects: files.readRedirects(),
    siteUrl: settings.siteUrl,
    pages: [
      { path: HOME_PATH, title: content.site.name, file: 'site.yaml' },
      { path: BLOG_PATH, title: 'Blog', file: 'site.yaml' },
      { path: ASSESSMENT_PATH, title: content.assessment.copy.title, file: 'assessment.yaml' },
      ...[...content.pages].map(([address, { title }]) => ({
        path: leadTarget(address, content.addresses),
        title,
        file: `pages${address}.yaml`,
      })),
      ...articles.flatMap((file) => {
        const piece = new Piece(file, texts.get(file)?.text ?? '');
        const title = String(piece.values?.['title'] ?? '');
        return piece.isShown(time)
          ? [
              {
                path: leadTarget(buildDefaultPath(path.basename(file, '.md')), content.addresses),
                title,
                file,
              },
            ]
          : [];
      }),
    ],
  };
}

/** The path below the content folder of a file that was named with or without `content/`. */
function findFile({ files, texts }: PlannedContent, written: string): string {
  const file = written.replaceAll('\\', '/').replace(/^(?:\.\/)?(?:content\/)?/, '');
  if (texts.has(file)) return file;
  if (files.has(file)) throw new Error(`content/${file} cannot be read.`);
  const nearest = findNearest(file, [...files]);
  const advice = nearest === null ? '.' : `; did you mean ${nearest}?`;
  throw new Error(`There is no file content/${file} that can be edited${advice}`);
}

const refuseAddress = (file: string): PlanRefusal => ({
  problem: `content/${file} has no page of its own: only pages, articles and authors are renamed and removed.`,
});

function planEnd(change: 'take-down' | 'remove'): PlanEdit {
  return (planned, { file, address }, { to = '', nowhere }) => {
    if (address !== null) return planDeparture(planned, address, { change, target: nowhere ? null : to });
    return change === 'remove'
      ? refuseAddress(file)
      : planChange(planned, { file, address }, { kind: change });
  };
}

/** Changes the state of a file. A piece that visitors see again at its address ends the redirects from it. */
function planChange(
  planned: PlannedContent,
  { file, address }: { readonly file: string; readonly address: PieceAddress | null },
  wish: StateWish,
): Plan | PlanRefusal {
  const old = planned.texts.get(file);
  if (old === undefined || !hasDrafts(file))
    return { problem: `content/${file} has no state: only pages, articles and products can be drafts.` };
  const stated = planState(new Piece(file, old.text), wish, planned);
  if ('problem' in stated) return stated;
  const { piece, message } = stated;
  const { text } = piece;
  const own =
    address === null || piece.isDraft ? [] : planOwnAddress(planned.redirects, listOwnPaths(address, text));
  const freed =
    own.length === 0
      ? ''
      : ` The redirect from ${address?.path} is removed, because the page is there again.`;
  return { changes: [{ file, text, opened: old.hash }, ...own], message: message + freed, file };
}

/** Stores the texts of the changed files as versions, except those of redirects. */
async function storeTexts(
  versions: ContentVersions,
  changes: readonly FileChange[],
  read: (change: FileChange) => string | null | undefined,
): Promise<void> {
  for (const change of changes) {
    const { file } = change;
    const text = read(change) ?? null;
    if (text === null || file.endsWith('.csv')) continue;
    await versions.add(file, { text, hash: hashText(text), operator: '', savedAt: Date.now() });
  }
}

function describeFailure(saved: Exclude<SavedTogether, { outcome: 'saved' }>): string {
  if (saved.outcome === 'failed') return saved.reason;
  if (saved.outcome === 'refused') return `content/${saved.file}: ${saved.reason}`;
  return saved.outcome === 'changed'
    ? `content/${saved.file} was changed meanwhile. Nothing was changed: run the command again.`
    : `It would make something wrong, so nothing was changed:\n${new ContentError(saved.problems).message}`;
}
