import { parseDate } from '../../../src/core/commissions/local-time.ts';
import { FLAG, failWithUsage, parseArguments } from '../arguments/parse-arguments.ts';
import type { OutputFormat } from './write-report.ts';

/** How the command is used. */
export const USAGE = `Usage:
  npm run -s commissions -- report [--by page|placement|campaign|answer|partner|month] [--from DAY] [--to DAY]
      [--clock click|booking] [--model MODEL] [--answer FIELD] [--time-zone ZONE] [--format table|csv|json]
  npm run -s commissions -- rank [--by page|placement|campaign|partner] [--currency CODE] [--format table|json]
  npm run -s commissions -- unmatched [--format table|json]
  npm run -s commissions -- explain ID [--partner KEY] [--format table|json]
  npm run -s commissions -- assign ID CLICK [--partner KEY]
  npm run -s commissions -- dismiss ID [--partner KEY]
  npm run -s commissions -- reset ID [--partner KEY]
  npm run -s commissions -- import FILE --partner KEY --currency CODE --time-zone ZONE [--dates day-first|month-first]
      [--column FIELD=HEADER]... [--yes] [--format table|json]
  npm run -s commissions -- imports [--format table|json]
  npm run -s commissions -- undo IMPORT
  npm run -s commissions -- sync [--partner KEY] [--format table|json]
  npm run -s commissions -- postback-url PARTNER

report        sums commissions and clicks. --clock click counts them on the day of the click, booking on the day of the
              commission; --from is inclusive, --to exclusive. MODEL divides the money of a commission among campaigns
              (first, last, lastPaid, linear) or pages (clickPage, entryPage, linearPages).
rank          orders pages by what a click is expected to earn, with an 80 % interval, from the last 53 weeks.
unmatched     lists commissions without a click, the reason, and where sources disagree.
explain       shows the chain from a commission to its click, page, campaign and answers, with credit by model.
assign        assigns a commission to a click; dismiss leaves it out of every total; reset takes either back.
import        shows what a CSV file of a network would bring; --yes imports it. The currency and the time zone of the
              last import of the partner are used again. imports lists the imports, undo takes one back as a whole.
sync          reads the networks whose credentials are set now.
postback-url  prints the secret address at which a partner's network reports commissions.

DATA_DIR (./data) is the folder of the ledger and the events.`;

const parsed = parseArguments(USAGE, {
  options: {
    answer: { type: 'string', default: 'businessType' },
    by: { type: 'string', default: 'page' },
    column: { type: 'string', multiple: true },
    clock: { type: 'string', default: 'click' },
    currency: { type: 'string' },
    dates: { type: 'string' },
    format: { type: 'string', default: 'table' },
    from: { type: 'string' },
    model: { type: 'string' },
    partner: { type: 'string' },
    'time-zone': { type: 'string' },
    to: { type: 'string' },
    yes: FLAG,
  },
  words: { min: 1, max: 3 },
});

/** The options, as they were typed. */
export const values = parsed.values;
/** The words that are no options: the command and what it is about. */
export const positionals = parsed.positionals;

/** The value of an option that is one of `choices`; ends the process with the usage for another. */
export function parseChoice<Choice extends string>(
  option: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((known) => known === text);
  return choice ?? failWithUsage(`--${option} is ${choices.join(', ')}, not "${text}".`, USAGE);
}

/** The value of `--format`. */
export function parseFormat(formats: readonly OutputFormat[]): OutputFormat {
  return parseChoice('format', values.format, formats);
}

/** The start of a day in a time zone, in ms since 1970; undefined when the option was not given. */
export function parseDay(option: string, text: string | undefined, timeZone: string): number | undefined {
  if (text === undefined) return undefined;
  const time = parseDate(text, timeZone, 'month-first');
  return time ?? failWithUsage(`--${option} is a day such as 2026-11-20, not "${text}".`, USAGE);
}
