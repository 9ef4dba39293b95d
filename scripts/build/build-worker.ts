// Builds the site for workerd: the worker, its checked content, and the static files. A package has the code alone.
import path from 'node:path';
import { remove } from '../../src/stores/disk.ts';
import { ROOT } from '../start/pinned-node.mjs';
import { writeWorkerContent } from './build-worker-content.ts';
import { CONTENT, checkContentOrExit, openBuildStamp, runAstroBuild } from './builds.ts';

const { BUILD_DIR = 'edge/dist' } = process.env;
const DIST = path.resolve(ROOT, BUILD_DIR);

const completeStamp = openBuildStamp(BUILD_DIR);
await checkContentOrExit();
remove(DIST);
// Standard output belongs to what was requested, such as an export.
runAstroBuild(['ignore', 2, 2], { BUILD_RUNTIME: 'cloudflare' });
if (process.argv[2] !== 'code') await writeWorkerContent(CONTENT, DIST, path.join(ROOT, '.cache', 'media'));
completeStamp();
