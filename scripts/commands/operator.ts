// npm run operator: one-time addresses and the list of operators, also while the site runs.

import { formatConsoleAddress } from '../../src/console/access/admission.ts';
import { SETUP_MINUTES } from '../../src/console/access/setup.ts';
import { parseSettings } from '../../src/server/settings.ts';
import { openOperatorStore } from '../../src/stores/node-databases.ts';
import { FLAG, parseArguments } from './arguments/parse-arguments.ts';
import { report, runCommand } from './arguments/run-command.ts';
import { readOperatorCommand } from './operator/read-operator-command.ts';

const USAGE = `Usage:
  npm run -s operator
  npm run -s operator -- invite NAME [--viewer]
  npm run -s operator -- reset NAME
  npm run -s operator -- remove NAME
  npm run -s operator -- list

Without a word it prints where the console is: while there is no operator, a one-time address at which the first one
chooses a name and a password. invite prints such an address for one more person, who can only look with --viewer;
reset prints one at which an operator chooses a new password, which signs every browser of that operator out; remove
takes the access away. An address is valid for ${SETUP_MINUTES} minutes, once; a new one replaces the one before.

DATA_DIR (./data) is the folder of the operators, SITE_URL (or HOST and PORT) the beginning of the address.`;

const { values, positionals } = parseArguments(USAGE, {
  options: { viewer: FLAG },
  words: { min: 0, max: 2 },
});
const run = readOperatorCommand(positionals, USAGE);
await runCommand(async () => {
  const config = parseSettings(process.env);
  const store = openOperatorStore(config.DATA_DIR, report, { lockWaitMs: 5_000 });
  try {
    const formatAddress = (path: string) => formatConsoleAddress(config, config.PORT, path);
    return await run({ store, formatAddress, role: values.viewer ? 'viewer' : 'owner' });
  } finally {
    await store.close();
  }
});
