// npm run package: packs release/signpost-VERSION.tgz, which is all of a site but its folder, and
// release/create-signpost-VERSION.tgz, which has that file and begins a folder. One commit gives the same bytes.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { copyWhole, createFolder, remove, writeWhole } from '../src/stores/disk.ts';
import { openBuildStamp } from './build/builds.ts';
import { outsidePath, ROOT, runPinnedSync } from './start/pinned-node.mjs';

/** What is in the package beside the build, at the same places as in the clone. */
const SHIPPED = [
  '.env.example',
  'LICENSE',
  'beside',
  'content',
  'docs',
  'edge/package-lock.json',
  'edge/package.json',
  'edge/run-workerd.sh',
  'edge/wrangler.jsonc',
  'migrations',
  'networks',
  'scripts/start/env-file.mjs',
  'scripts/start/pinned-node.mjs',
  'scripts/start/sending-settings.mjs',
  'scripts/start/signpost.mjs',
  'src/commands/new/site-template',
  'src/runtimes/node/v8-flags.mjs',
];
/** What a build has of the content, which a site makes of its own. */
const OF_CONTENT = ['client/images', 'client/og', 'parsed.json', '.build-stamp'];
/** What the build leaves out of its bundles. */
const EXTERNAL = ['sharp'];

const release = path.join(ROOT, 'release');
const { version, description, license, bin, dependencies, optionalDependencies } = JSON.parse(
  readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
);

// Astro writes the value of a variable into code that has its name as a part of a word, such as that of `_`.
const KEPT = /^(?:PATH|HOME|TMPDIR|TEMP|APPDATA|SYSTEMROOT|COMSPEC|PATHEXT)$/i;
for (const name of Object.keys(process.env)) if (!KEPT.test(name)) delete process.env[name];
const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' });
if (stdout) process.env['SOURCE_DATE_EPOCH'] = stdout.trim();
// The key of Astro's server islands, of which there are none, is random otherwise.
process.env['ASTRO_KEY'] = Buffer.alloc(32).toString('base64');
remove(release);
const completeStamp = openBuildStamp('release');
const signpost = stage('signpost', {
  description,
  bin,
  dependencies: Object.fromEntries(EXTERNAL.map((name) => [name, dependencies[name]])),
  optionalDependencies,
});
// In folders of their own: a site may run from the clone's build meanwhile.
const buildInto = (folder: string, ...command: readonly string[]) => {
  process.env['BUILD_DIR'] = path.relative(ROOT, path.join(signpost, folder));
  runPinnedSync(command);
};
buildInto('dist', 'scripts/build/build.ts');
buildInto('edge/dist', 'scripts/build/build-worker.ts', 'code');
remove(path.join(signpost, 'edge/dist/.build-stamp'));
for (const name of SHIPPED) copyWhole(path.join(ROOT, name), path.join(signpost, name));
for (const name of OF_CONTENT) remove(path.join(signpost, 'dist', name));
remove(path.join(signpost, 'docs/images'));
writeWhole(path.join(signpost, 'dist/images.json'), '{}\n');
pack(signpost);
const create = stage('create-signpost', {
  description: 'Begins the folder of a site with Signpost.',
  bin: { 'create-signpost': 'scripts/create.mjs' },
});
for (const name of ['LICENSE', 'deploy/site', 'scripts/create.mjs', `release/signpost-${version}.tgz`])
  copyWhole(path.join(ROOT, name), path.join(create, name));
pack(create);
completeStamp();

/** Begins the folder of a package with its package.json. */
function stage(name: string, fields: object): string {
  const folder = path.join(release, name);
  createFolder(folder);
  const manifest = {
    name,
    version,
    ...fields,
    license,
    private: true,
    type: 'module',
    engines: { node: '>=24' },
  };
  writeWhole(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return folder;
}

function pack(folder: string): void {
  const env = { ...process.env, PATH: outsidePath().join(path.delimiter) };
  execFileSync('npm', ['pack', folder, '--pack-destination', release, '--loglevel=error'], {
    env,
    stdio: 'inherit',
  });
  remove(folder);
}
