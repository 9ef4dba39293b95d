import fc from 'fast-check';
import { SEED } from './cases.ts';

fc.configureGlobal({ seed: SEED });
