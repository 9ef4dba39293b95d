// @ts-check
import { isBuildFresh } from './build-stamp.mjs';
import { runPinnedSync } from './pinned-node.mjs';

/** Builds the site when a source has changed since the last complete build. Throws when the build fails. */
export function ensureBuild() {
  if (isBuildFresh()) return;
  console.log('Building the site …');
  runPinnedSync(['scripts/build/build.ts']);
}
