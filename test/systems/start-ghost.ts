import { cpSync } from 'node:fs';
import path from 'node:path';
import { PINNED_NODE } from '../../scripts/start/pinned-node.mjs';
import { findFreePort } from '../support/site.ts';
import { type AwkwardPost, buildAwkwardPosts } from './awkward-posts.ts';
import type { RunningSystem } from './start-wordpress.ts';
import { startMariaDb, TemporaryServers } from './temporary-servers.ts';

/** Ghost with the key of its Content API. */
export interface RunningGhost extends RunningSystem {
  readonly key: string;
}

/** Starts Ghost with MariaDB in a temporary folder. `packageFolder`: the npm package ghost with its dependencies. */
export async function startGhost(packageFolder: string): Promise<RunningGhost> {
  const servers = new TemporaryServers();
  try {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const socketPath = await startMariaDb(servers, ['ghost']);
    const content = path.join(servers.folder, 'content');
    cpSync(path.join(packageFolder, 'content'), content, { recursive: true, dereference: true });
    const admin = createAdmin(url);
    await servers.start(PINNED_NODE, ['index.js'], () => admin('GET', 'site/'), {
      cwd: packageFolder,
      env: buildSettings({ url, port, socketPath, content }),
    });
    await admin('POST', 'authentication/setup/', { setup: [{ ...OWNER, blogTitle: 'Systems test' }] });
    await admin('POST', 'session/', { username: OWNER.email, password: OWNER.password });
    const integration = await admin('POST', 'integrations/?include=api_keys', {
      integrations: [{ name: 'site' }],
    });
    const keys: readonly { type: string; secret: string }[] = integration.integrations[0].api_keys;
    const ids = new Map<string, string>();
    const created: AwkwardPost[] = [];
    for (const post of buildAwkwardPosts(url).filter(({ date = '' }) => date > '1981')) {
      const response = await admin('POST', 'posts/?source=html', { posts: [buildPost(post)] });
      // Ghost writes slugs in ASCII.
      const { id, slug } = response.posts[0];
      ids.set(slug, id);
      created.push({ ...post, slug });
    }
    await admin('POST', 'posts/', { posts: [CARDS] });
    return {
      url,
      posts: [...created, { kind: 'cards', slug: CARDS.slug, title: CARDS.title, html: '' }],
      key: keys.find(({ type }) => type === 'content')?.secret ?? '',
      deletePost: async (slug) => {
        await admin('DELETE', `posts/${ids.get(slug)}/`);
      },
      stop: () => servers.stop(),
    };
  } catch (error) {
    await servers.stop();
    throw error;
  }
}

const OWNER = { name: 'Owner', email: 'owner@site.invalid', password: 'Q7-purple-Otter-lamp' };
/** Ghost reads its settings from the environment too, with `__` between the names. */
function buildSettings(options: {
  readonly url: string;
  readonly port: number;
  readonly socketPath: string;
  readonly content: string;
}): Record<string, string> {
  return {
    NODE_ENV: 'production',
    url: options.url,
    server__host: '127.0.0.1',
    server__port: String(options.port),
    database__client: 'mysql',
    database__connection__socketPath: options.socketPath,
    database__connection__user: 'root',
    database__connection__database: 'ghost',
    mail__transport: 'Direct',
    paths__contentPath: options.content,
    privacy__useUpdateCheck: 'false',
    privacy__useGravatar: 'false',
    security__staffDeviceVerification: 'false',
    logging__level: 'error',
    logging__transports: '["stderr"]',
    ...Object.fromEntries(LIMITS.map((name) => [`spam__${name}__freeRetries`, '1000000'])),
  };
}

/** Ghost limits sign-ins and reads by address. */
const LIMITS = 'user_login user_reset global_reset global_block private_block content_api_key'.split(' ');

function buildPost({
  slug,
  title,
  html,
  excerpt,
  date,
  categories = [],
  tags = [],
  status,
}: AwkwardPost): object {
  const isPublic = status === undefined || status === 'password';
  return {
    slug,
    title,
    // Ghost's editor would rewrite the HTML: in an HTML card it stays as it is.
    ...(html !== '' && { html: `<!--kg-card-begin: html-->${html}<!--kg-card-end: html-->` }),
    custom_excerpt: excerpt ?? null,
    status: isPublic ? 'published' : status === 'future' ? 'scheduled' : 'draft',
    visibility: status === 'password' ? 'members' : 'public',
    ...(isPublic || status === 'future' ? { published_at: `${date}T08:00:00.000Z` } : {}),
    tags: [...categories, ...tags].map((name) => ({ name })),
  };
}

/** A post with the cards of Ghost's own editor. */
const CARDS = {
  slug: 'ghost-cards',
  title: 'Ghost cards',
  status: 'published',
  published_at: '2026-05-30T20:00:00.000Z',
  canonical_url: 'https://original.example/post',
  lexical: JSON.stringify({
    root: {
      type: 'root',
      version: 1,
      direction: null,
      format: '',
      indent: 0,
      children: [
        {
          type: 'bookmark',
          version: 1,
          url: 'https://b.example/',
          caption: '',
          metadata: {
            title: 'Bookmark title',
            description: 'Bookmark description text.',
            author: 'An Author',
            publisher: 'Publisher',
          },
        },
        {
          type: 'callout',
          version: 1,
          calloutText: '<p>Callout text</p>',
          calloutEmoji: '💡',
          backgroundColor: 'blue',
        },
        { type: 'toggle', version: 1, heading: 'Toggle heading', content: '<p>Toggle content</p>' },
        {
          type: 'button',
          version: 1,
          buttonText: 'A button',
          alignment: 'center',
          buttonUrl: 'https://c.example/',
        },
        {
          type: 'video',
          version: 1,
          src: 'https://files.example/film.mp4',
          duration: 12,
          width: 640,
          height: 360,
          caption: 'A film',
          cardWidth: 'regular',
          thumbnailSrc: 'https://files.example/film.jpg',
        },
        {
          type: 'audio',
          version: 1,
          src: 'https://files.example/talk.mp3',
          title: 'Audio title',
          duration: 30,
        },
        {
          type: 'file',
          version: 1,
          src: 'https://files.example/paper.pdf',
          fileTitle: 'File title',
          fileCaption: 'File caption',
          fileName: 'paper.pdf',
          fileSize: 1_024,
        },
        {
          type: 'signup',
          version: 1,
          layout: 'regular',
          header: 'Sign up',
          subheader: 'sub',
          disclaimer: 'No spam.',
          buttonText: 'ok',
          successMessage: 'sent',
          labels: [],
        },
        {
          type: 'gallery',
          version: 1,
          caption: 'Two images',
          images: [1, 2].map((n) => ({
            row: 0,
            fileName: `${n}.png`,
            src: `https://images.example/${n}.png`,
            width: 800,
            height: 600,
          })),
        },
        {
          type: 'paragraph',
          version: 1,
          direction: 'ltr',
          format: '',
          indent: 0,
          children: [
            {
              type: 'extended-text',
              version: 1,
              text: 'The first paragraph of the post, long enough for an excerpt.',
              format: 0,
              detail: 0,
              mode: 'normal',
              style: '',
            },
          ],
        },
      ],
    },
  }),
};

// biome-ignore lint/suspicious/noExplicitAny: the responses of the Admin API are read in this file alone.
type Admin = (method: string, address: string, body?: object) => Promise<any>;

/** Calls Ghost's Admin API with the session cookie of the owner. */
function createAdmin(url: string): Admin {
  let cookie = '';
  return async (method, address, body) => {
    const response = await fetch(`${url}/ghost/api/admin/${address}`, {
      method,
      headers: { 'content-type': 'application/json', 'accept-version': 'v6.0', origin: url, cookie },
      ...(body && { body: JSON.stringify(body) }),
    });
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${text.slice(0, 500)}`);
    return text.startsWith('{') ? JSON.parse(text) : {};
  };
}
