import { nameCommand } from '../core/text/name-command.ts';
import { escapeControls } from '../core/text/parse-text.ts';
import { defineCommand, UsageError } from './command.ts';
import type { DataFolderSite } from './site.ts';

const RUN = nameCommand('ledger');

const USAGE = `Usage:
  ${RUN} check

Folds all commissions again from their messages, and compares each with its row in the table. Prints what differs, and ends
with code 1 then. The site may run.`;

/** `signpost ledger`: compares the rows of commissions with their messages. */
export const command = defineCommand({
  usage: USAGE,
  options: {},
  words: [1, 1],
  async run({ positionals: [name] }, io, site: DataFolderSite) {
    if (name !== 'check') throw new UsageError(`There is no command "${name}".`);
    const { ledger } = await site.openLedger();
    let differences = 0;
    for await (const line of ledger.fold.compare()) {
      differences += 1;
      io.stdout.write(escapeControls(`${line}\n`));
    }
    io.stdout.write(differences === 0 ? 'The table equals the messages.\n' : `${differences} differences.\n`);
    return differences === 0 ? 0 : 1;
  },
});
