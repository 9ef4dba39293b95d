import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';
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
const CARDS = z
  .looseObject({
    slug: z.string(),
    title: z.string(),
    lexical: z.unknown().transform((cards) => JSON.stringify(cards)),
  })
  .parse(parse(readFileSync(path.join(ROOT, 'test/fixtures/articles/ghost-cards.yaml'), 'utf8')));

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
