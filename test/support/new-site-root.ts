import path from 'node:path';
import { ROOT } from '../../scripts/start/pinned-node.mjs';

/** Where the tests build the site that `npm run new -- site` creates. */
export const NEW_SITE_ROOT = path.join(ROOT, '.cache/new-site');
