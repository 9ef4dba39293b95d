import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { findFreePort } from '../support/site.ts';
import { type AwkwardPost, buildAwkwardPosts } from './awkward-posts.ts';
import { connect, startMariaDb, TemporaryServers } from './temporary-servers.ts';

/** A content management system with the awkward posts. */
export interface RunningSystem {
  readonly url: string;
  readonly posts: readonly AwkwardPost[];
  /** Deletes a post for good. */
  deletePost(slug: string): Promise<void>;
  stop(): Promise<void>;
}

/** A WordPress whose damage a test chooses. */
interface RunningWordPress extends RunningSystem {
  /** `table`: the posts cannot be read. `plugin`: a plugin empties every list, for the look for one post too. */
  damage(kind: 'table' | 'plugin'): void;
  /** Writes its own export of all content; returns the file, and the folder of its uploads. */
  exportAll(): { readonly file: string; readonly uploads: string };
  restore(): void;
  /** Runs a statement in its database. */
  sql(query: string): void;
}

/** What a WordPress is filled with. */
export interface WordPressSetup {
  /** How the addresses of posts are built, such as `/%postname%/`. */
  readonly permalinks: string;
  readonly posts: readonly AwkwardPost[];
  /** Names of uploaded pictures by the number that texts name them by, without their ending. */
  readonly images: Readonly<Record<number, string>>;
  /** Posts in which plugins have links. */
  readonly links: readonly {
    readonly number: number;
    readonly type: string;
    readonly title: string;
    readonly meta: Readonly<Record<string, string>>;
  }[];
}

const buildAwkwardSite = (url: string): WordPressSetup => ({
  permalinks: '/%postname%/',
  posts: buildAwkwardPosts(url),
  images: {},
  links: [],
});

const PACKAGE = '/usr/share/wordpress';

/** Themes before the block editor end automatic excerpts like this. */
const THEME = `<?php add_filter('excerpt_more', fn() => '&hellip; <a class="more-link" href="#">Continue reading</a>');
add_filter('wp_mail', '__return_empty_array');`;

const EMPTYING_PLUGIN = `<?php add_filter('rest_post_query', fn($query) => ['post__in' => [0]] + $query);`;

/**
 * Starts Debian's WordPress with MariaDB, php-fpm and nginx in a temporary folder. Needs the packages wordpress,
 * mariadb-server, php-fpm, php-mysql, php-gd and nginx.
 */
export async function startWordPress(
  buildSite: (url: string) => WordPressSetup = buildAwkwardSite,
): Promise<RunningWordPress> {
  const servers = new TemporaryServers();
  try {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const site = buildSite(url);
    const { posts } = site;
    const root = path.join(servers.folder, 'wordpress');
    cpSync(PACKAGE, root, { recursive: true, dereference: true });
    mkdirSync(path.join(root, 'wp-content/mu-plugins'), { recursive: true });
    servers.write('wordpress/wp-content/mu-plugins/theme.php', THEME);
    const database = await startMariaDb(servers, ['wordpress']);
    servers.write('wordpress/wp-config.php', buildConfig(database, url));
    const script = path.join(import.meta.dirname, 'wordpress-setup.php');
    const list = servers.write('site.json', JSON.stringify(site));
    servers.run('php', ['-d', 'memory_limit=512M', script, root, list], { WP_URL: url });
    const socket = path.join(servers.folder, 'fpm.sock');
    const pool = servers.write('fpm.conf', buildPool(servers.folder, socket));
    await servers.start('php-fpm8.2', ['-F', '-R', '-n', ...EXTENSIONS, '-y', pool], () => connect(socket));
    const nginx = servers.write('nginx.conf', buildNginx(servers.folder, root, port, socket));
    await servers.start('nginx', ['-c', nginx, '-p', servers.folder], () => connect(port));
    const sql = (query: string) =>
      servers.run('mariadb', [
        '--no-defaults',
        `--socket=${database}`,
        '-u',
        'root',
        'wordpress',
        '-e',
        query,
      ]);
    return {
      url,
      posts,
      sql: (query) => void sql(query),
      deletePost: async (slug) => {
        sql(`DELETE FROM wp_posts WHERE post_name = '${slug}'`);
      },
      exportAll() {
        const exporter = path.join(import.meta.dirname, 'wordpress-export.php');
        const options = ['-d', 'memory_limit=512M', '-d', 'display_errors=stderr'];
        const xml = servers.run('php', [...options, exporter, root], { WP_URL: url });
        return { file: servers.write('export.xml', xml), uploads: path.join(root, 'wp-content/uploads') };
      },
      damage(kind) {
        if (kind === 'table') sql('RENAME TABLE wp_posts TO wp_posts_damaged');
        else servers.write(PLUGIN_FILE, EMPTYING_PLUGIN);
      },
      restore() {
        servers.write(PLUGIN_FILE, '');
        sql('RENAME TABLE IF EXISTS wp_posts_damaged TO wp_posts');
      },
      stop: () => servers.stop(),
    };
  } catch (error) {
    await servers.stop();
    throw error;
  }
}

const PLUGIN_FILE = 'wordpress/wp-content/mu-plugins/empty.php';

const EXTENSIONS = 'mysqlnd mysqli xml dom mbstring gd tokenizer ctype simplexml xmlreader iconv fileinfo'
  .split(' ')
  .flatMap((name) => ['-d', `extension=${name}.so`]);

function buildConfig(socket: string, url: string): string {
  return `<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${socket}'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('WP_HOME', '${url}'); define('WP_SITEURL', '${url}');
define('DISABLE_WP_CRON', true); define('AUTOMATIC_UPDATER_DISABLED', true); define('WP_HTTP_BLOCK_EXTERNAL', true);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;
}

function buildPool(folder: string, socket: string): string {
  return `[global]
error_log = ${folder}/fpm.log
[www]
user = root
group = root
listen = ${socket}
listen.mode = 0666
pm = static
pm.max_children = 4
php_admin_value[memory_limit] = 256M
`;
}

function buildNginx(folder: string, root: string, port: number, socket: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  return `daemon off; user root; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 256; }
http {
  ${temporary} access_log off;
  types { text/css css; application/javascript js; image/jpeg jpg; image/png png; }
  server {
    listen 127.0.0.1:${port};
    root ${root};
    index index.php;
    location / { try_files $uri $uri/ /index.php?$args; }
    location ~ \\.php$ {
      include /etc/nginx/fastcgi_params;
      fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
      fastcgi_pass unix:${socket};
      fastcgi_buffers 64 16k;
    }
  }
}
`;
}
