import { randomInt } from 'node:crypto';

/** Whether the run is at full length (`npm test -- all`): every case, round and page. */
export const IS_FULL_LENGTH = process.env['TEST_LENGTH'] === 'full';

/** Whether the run is `npm test`, which has six minutes. */
export const IS_USUAL = process.env['TEST_LENGTH'] === 'usual';

/** The seed of all random input: always the same, or at full length that of the run. */
export const SEED = IS_FULL_LENGTH ? Number(process.env['SEED'] ?? randomInt(2 ** 31)) : 20_261_130;

/** How many cases a property test runs. */
export const CASES = IS_FULL_LENGTH ? 10_000 : 50;

/** Share of its cases that a search for defects runs: one that tries whole sites or files, and judges them by guesses. */
export const SEARCHED = IS_FULL_LENGTH ? 1 : 1 / 20;

/** How many times a test kills a process. */
export const KILL_ROUNDS = IS_FULL_LENGTH ? 20 : IS_USUAL ? 1 : 2;
