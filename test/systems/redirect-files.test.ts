import { afterEach, expect, it } from 'vitest';
import {
  buildApacheRedirects,
  buildCaddyRedirects,
  buildNginxRedirects,
} from '../../src/core/pages/redirects/redirect-files.ts';
import { findFreePort } from '../support/site.ts';
import { connect, TemporaryServers } from './temporary-servers.ts';

const PAIRS = [
  ['/2019/05/tools', '/blog/tools'],
  ['/?p=12', '/blog/twelve'],
  ['/?p=13', '/blog/thirteen'],
  ['/%D0%B8%D0%BC%D1%8F', '/blog/%D0%B8%D0%BC%D1%8F'],
  ['/a.b+c', '/blog/dots'],
  ['/go/shop', 'https://shop.example/?tag=me-20&x=%2Fa&y=1$2'],
  ['/tag/crm', '/blog/tag/crm'],
  ['/tag/crm/page/9', '/blog/nine'],
  ['/page/1', '/blog'],
  ['/Tag/crm', '/blog/tag/crm'],
] as const;

const EXPECTED: readonly (readonly [address: string, target: string | null])[] = [
  ['/2019/05/tools', '/blog/tools'],
  ['/2019/05/tools/', '/blog/tools'],
  ['/2019/05/tools-2', null],
  ['/?p=12', '/blog/twelve'],
  ['/?p=13', '/blog/thirteen'],
  ['/?p=123', null],
  ['/', null],
  ['/%D0%B8%D0%BC%D1%8F', '/blog/%D0%B8%D0%BC%D1%8F'],
  ['/a.b+c', '/blog/dots'],
  ['/axb+c', null],
  ['/go/shop', 'https://shop.example/?tag=me-20&x=%2Fa&y=1$2'],
  ['/2019/05/tools?utm_source=x', '/blog/tools'],
  ['/2019/05/tools/comment-page-2/', '/blog/tools'],
  ['/tag/crm/page/3/', '/blog/tag/crm'],
  ['/tag/crm/page/9', '/blog/nine'],
  ['/tag/crm/page/3?utm_source=x', '/blog/tag/crm'],
  ['/tag/crm/page/three', null],
  ['/page/48/', '/blog'],
  ['/never-there/page/2', null],
];

let servers: TemporaryServers;
afterEach(() => servers.stop());

const SYSTEMS = {
  async nginx(port: number) {
    const file = servers.write('moved.conf', buildNginxRedirects(PAIRS));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${servers.folder}/${name};`)
      .join(' ');
    const config = servers.write(
      'nginx.conf',
      `daemon off; worker_processes 1; pid ${servers.folder}/nginx.pid; error_log ${servers.folder}/nginx.log;
events { worker_connections 64; }
http { ${temporary} access_log off; include ${file}; absolute_redirect off;
  server { listen 127.0.0.1:${port}; if ($moved_to) { return 301 $moved_to; } location / { return 404; } } }`,
    );
    await servers.start('nginx', ['-c', config, '-p', servers.folder], () => connect(port));
  },
  async apache2(port: number) {
    const rules = servers.write('moved.conf', buildApacheRedirects(PAIRS));
    const modules = '/usr/lib/apache2/modules';
    const config = servers.write(
      'apache.conf',
      `ServerRoot ${servers.folder}
ServerName localhost
PidFile ${servers.folder}/apache.pid
ErrorLog ${servers.folder}/apache.log
Listen 127.0.0.1:${port}
LoadModule mpm_event_module ${modules}/mod_mpm_event.so
LoadModule rewrite_module ${modules}/mod_rewrite.so
LoadModule authz_core_module ${modules}/mod_authz_core.so
<VirtualHost *:${port}>
DocumentRoot ${servers.folder}
Include ${rules}
</VirtualHost>`,
    );
    await servers.start('apache2', ['-X', '-f', config], () => connect(port));
  },
  async caddy(port: number) {
    const config = servers.write(
      'Caddyfile',
      `{\n  admin off\n  auto_https off\n}\nhttp://127.0.0.1:${port} {\n${buildCaddyRedirects(PAIRS)}\nrespond 404\n}\n`,
    );
    await servers.start('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], () => connect(port), {
      env: { HOME: servers.folder, XDG_DATA_HOME: servers.folder, XDG_CONFIG_HOME: servers.folder },
    });
  },
};

it.each(Object.keys(SYSTEMS) as (keyof typeof SYSTEMS)[])('%s reads exported redirects', async (name) => {
  servers = new TemporaryServers();
  const port = await findFreePort();
  await SYSTEMS[name](port);
  for (const [address, target] of EXPECTED) {
    const response = await fetch(`http://127.0.0.1:${port}${address}`, { redirect: 'manual' });
    const location =
      response.headers.get('location')?.replace(`http://127.0.0.1:${port}`, '').replaceAll('%24', '$') ??
      null;
    expect([address, response.status === 301 ? location : null]).toEqual([address, target]);
  }
});
