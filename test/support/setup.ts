import fc from 'fast-check';
import { SEED } from './cases.ts';
import './loopback-only.mjs';

fc.configureGlobal({ seed: SEED });
