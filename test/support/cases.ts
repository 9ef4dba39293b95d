/** Whether the run is at full length (`npm test -- all`): every case, round and page. */
export const IS_FULL_LENGTH = process.env['TEST_LENGTH'] === 'full';

/** Whether the run is `npm test`, which has six minutes. */
export const IS_USUAL = process.env['TEST_LENGTH'] === 'usual';

/** How many cases a property test runs. */
export const CASES = IS_FULL_LENGTH ? 10_000 : 50;

/** How many times a test kills a process. */
export const KILL_ROUNDS = IS_FULL_LENGTH ? 20 : IS_USUAL ? 1 : 2;
