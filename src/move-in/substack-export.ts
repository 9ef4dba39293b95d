import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { decodeText } from './decode-text.ts';
import { createFormerItem, type FormerSite, MoveInError, readEach, toInstant } from './former-item.ts';
import { explainCsvError } from './link-plugins.ts';
import { openFileTree } from './open-archive.ts';

const text = z.string().default('');
const postsSchema = z.array(
  z.object({
    post_id: z.string(),
    post_date: text,
    is_published: text,
    title: text,
    subtitle: text,
    audience: text,
  }),
);

/** Opens an export of Substack: a folder or archive with `posts.csv` and `posts/`. */
export async function openSubstack(location: string): Promise<FormerSite> {
  const tree = await openFileTree(location);
  const list = tree.names.find((name) => /(?:^|\/)posts\.csv$/.test(name));
  if (list === undefined) throw new MoveInError(`${location} has no posts.csv: it is no export of Substack.`);
  const posts = postsSchema.safeParse(readRows(decodeText(list, await tree.read(list)), list));
  if (!posts.success) throw new MoveInError(`${list} does not have the columns of Substack.`);
  const files = new Map(tree.names.map((name) => [name.split('/').at(-1) ?? '', name]));
  const locate = ([index]: readonly [index: number, ...others: unknown[]]) => `${list}, line ${index + 2}`;
  return {
    address: () => '',
    archives: null,
    feeds: ['/feed'],
    read: (onProblem) =>
      readEach(posts.data.entries(), locate, onProblem, async ([index, post]) => {
        const slug = post.post_id.replace(/^\d+\.?/, '');
        const file = files.get(`${post.post_id}.html`);
        const isOpen = !/only_paid|founding/.test(post.audience);
        return createFormerItem({
          type: 'post',
          id: post.post_id,
          place: locate([index]),
          title: post.title,
          slug,
          address: slug === '' ? '' : `/p/${slug}`,
          hidden: !/^true$/i.test(post.is_published) ? 'a draft' : isOpen ? '' : 'for paying subscribers',
          publishedAt: toInstant(post.post_date),
          body:
            file === undefined
              ? ''
              : decodeText(file, await tree.read(file), (reason) => onProblem(file, reason)),
          excerpt: post.subtitle,
        });
      }),
  };
}

function readRows(csv: string, name: string): unknown {
  try {
    return parse(csv, { columns: true, bom: true, skip_empty_lines: true, relax_column_count: true });
  } catch (error) {
    throw explainCsvError(name, error);
  }
}
