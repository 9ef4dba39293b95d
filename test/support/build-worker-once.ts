import { ensureWorkerBuild } from '../../scripts/start/ensure-build.mjs';

/** Before tests that serve the site on workerd: builds the worker when a source has changed. */
export default function buildWorkerOnce(): void {
  ensureWorkerBuild();
}
