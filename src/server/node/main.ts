// The entry of the build.
import { runSite } from './run-site.ts';

await runSite();
