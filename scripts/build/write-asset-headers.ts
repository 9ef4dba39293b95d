import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSecurityHeaders } from '../../src/server/http/security-headers.ts';

/** Folders whose files never change under their name. */
const HASHED = ['_astro', 'fonts', 'images'];

/** Writes the `_headers` file of Workers static assets: the headers that the Node server sends with files. */
export function writeAssetHeaders(folder: string): void {
  const sources = { https: true, imageHosts: [], analytics: null };
  const { file } = createSecurityHeaders(sources, { scripts: [], styles: new Set() });
  const write = (pattern: string, headers: Readonly<Record<string, string>>) =>
    [pattern, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n');
  const rules = [
    write('/*', { ...file, 'cache-control': 'public, max-age=3600' }),
    // A rule adds to what earlier rules have set, so the general value is removed first.
    ...HASHED.map((name) =>
      [`/${name}/*`, '  ! cache-control', '  cache-control: public, max-age=31536000, immutable'].join('\n'),
    ),
  ];
  writeFileSync(path.join(folder, '_headers'), `${rules.join('\n\n')}\n`);
}
