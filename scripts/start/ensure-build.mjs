// @ts-check
import { isBuildFresh } from './build-stamp.mjs';
import { runPinnedSync } from './pinned-node.mjs';

/** Builds the site when a source has changed since the last complete build. Throws when the build fails. */
export function ensureBuild() {
  if (isBuildFresh()) return;
  console.log('Building the site …');
  runPinnedSync(['scripts/build/build.ts']);
}

/** Builds the worker for Cloudflare in the same way. */
export function ensureWorkerBuild() {
  if (isBuildFresh('edge/dist')) return;
  console.error('Building the worker …');
  runPinnedSync(['scripts/build/build-worker.ts']);
}
