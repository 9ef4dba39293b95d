import { env } from 'cloudflare:workers';
import fc from 'fast-check';

fc.configureGlobal({ seed: env.SEED });
