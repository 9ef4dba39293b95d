import { ensureBuild, ensureWorkerBuild } from '../../scripts/start/ensure-build.mjs';

/** Before tests that serve the site: builds it when a source has changed. */
export default function buildOnce(): void {
  if (process.env['SITE_RUNTIME'] === 'workers') ensureWorkerBuild();
  else ensureBuild();
}
