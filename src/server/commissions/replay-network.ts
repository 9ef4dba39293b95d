import type { ReportedFact } from '../../core/commissions/ledger/commission-fact.ts';
import {
  CommissionSourceError,
  type MessageFields,
} from '../../core/commissions/ledger/commission-source.ts';
import { type CommissionTerms, DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { parseReportRow } from '../../core/commissions/ledger/csv-columns.ts';
import { collectStrings } from '../../core/commissions/ledger/message-fields.ts';
import {
  type ExpectedFact,
  messageSchema,
  type NetworkFile,
  type Networks,
} from '../../core/commissions/networks/network.schema.ts';
import { parseNetworkMessage } from '../../core/commissions/networks/parse-message.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import { readRecordedResponse } from '../../sources/networks/network-api.ts';
import { detectImportFormat } from './detect-import-format.ts';
import { parseForm } from './postbacks.ts';

type Sample = NetworkFile['messages'][number];

/** The click that `CLICK` stands for in the messages of a network's file. */
const CLICK = '0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12';

/** What a message of a network's file becomes. */
type Outcome = 'test' | 'ignored' | 'unread' | readonly ExpectedFact[];

/** A message of a network's file, with what it becomes; `problem`: what is another than the file says, or null. */
export interface Replayed {
  readonly name: string;
  readonly becomes: Outcome;
  readonly problem: string | null;
}

/** Sends the messages of a network's file through the reader. `now`: ms since 1970. */
export async function replayNetwork(
  name: string,
  networks: Networks,
  now: number,
): Promise<readonly Replayed[]> {
  const file = networks.get(name);
  if (file === undefined) throw new RangeError(`There is no network ${name}.`);
  return Promise.all(file.messages.map((sample) => replay(name, file, sample, networks, now)));
}

async function replay(
  name: string,
  file: NetworkFile,
  sample: Sample,
  networks: Networks,
  now: number,
): Promise<Replayed> {
  const own = messageSchema.parse(JSON.parse(JSON.stringify(sample).replaceAll('CLICK', CLICK)));
  const terms = { ...DEFAULT_TERMS, network: name, currency: own.currency ?? 'USD' };
  const [becomes, reason] = await read(own, terms, file, networks, now);
  const problem = findDifference(own.becomes, becomes);
  return {
    name: sample.name,
    becomes,
    problem: problem === null ? null : `${problem}${reason && `: ${reason}`}`,
  };
}

async function read(
  sample: Sample,
  terms: CommissionTerms,
  file: NetworkFile,
  networks: Networks,
  now: number,
): Promise<[Outcome, string]> {
  if (sample.csv !== undefined) return readReport(sample.csv, terms, networks, now);
  if (sample.response !== undefined) {
    const page = readRecordedResponse(file, sample.response, terms, now);
    const reports = page?.reports ?? [];
    if (page === undefined || page.refused.length > 0)
      return ['unread', page?.refused[0] ?? 'it has no list of records'];
    return [reports.map(({ reported, strings }) => describeReport(reported, strings)), ''];
  }
  const fields: MessageFields =
    sample.json === undefined
      ? parseForm(sample.query ?? new URLSearchParams(sample.form).toString())
      : { ...(sample.json as object) };
  const message = parseNetworkMessage(fields, terms, networks, now);
  if (message.kind === 'ignored') return ['ignored', ''];
  if (message.kind === 'invalid') return ['unread', message.detail];
  if (message.reports.every(({ isTest }) => isTest)) return ['test', ''];
  return [message.reports.map((reported) => describeReport(reported, collectStrings(fields))), ''];
}

async function readReport(
  csv: string,
  terms: CommissionTerms,
  networks: Networks,
  now: number,
): Promise<[Outcome, string]> {
  const open = async function* () {
    yield Buffer.from(csv);
  };
  try {
    const opened = await detectCsvFormat(open);
    const readRows = () => readCsvRows(open, opened);
    const ledger = {
      matchClicks: async (texts: readonly { readonly reported: { readonly token: string } }[]) => ({
        clickIds: texts.map(({ reported: { token } }) => (token === CLICK ? CLICK : null)),
      }),
    };
    const profile = { currency: terms.currency ?? 'USD', timeZone: 'UTC' };
    const format = await detectImportFormat({ readRows }, { ledger, terms, networks, profile, now });
    const facts: ExpectedFact[] = [];
    for await (const row of readRows()) {
      const parsed = parseReportRow(row, format, terms, networks);
      if ('problem' in parsed) return ['unread', parsed.problem];
      facts.push(describeReport(parsed.report, Object.values(row)));
    }
    return [facts, ''];
  } catch (error) {
    if (error instanceof CommissionSourceError) return ['unread', error.message];
    throw error;
  }
}

function describeReport(reported: ReportedFact, strings: readonly string[]): ExpectedFact {
  const { nativeId: id, status, kind, amount, saleAmount, currency, token, label } = reported;
  const time = reported.eventTime ?? reported.changeTime;
  return {
    ...{ id, status, kind, amount, currency },
    click: token === CLICK || strings.some((text) => text.includes(CLICK)),
    ...(label !== undefined && { label: label.id, items: label.items }),
    ...(saleAmount !== null && { sale: saleAmount }),
    ...(time !== null && { time: new Date(time).toISOString().replace(/\.\d+/, '') }),
  };
}

/** How an outcome differs from what a file says; null when it does not. */
function findDifference(expected: Sample['becomes'], outcome: Outcome): string | null {
  if (typeof expected === 'string' || typeof outcome === 'string')
    return expected === outcome
      ? null
      : `becomes ${typeof outcome === 'string' ? outcome : 'a commission'}, not ${typeof expected === 'string' ? expected : 'a commission'}`;
  if (expected.length !== outcome.length)
    return `becomes ${outcome.length} commissions, not ${expected.length}`;
  for (const [index, one] of expected.entries()) {
    const wanted = { kind: 'sale', ...one };
    for (const [field, value] of Object.entries(wanted)) {
      const found = outcome[index]?.[field as keyof ExpectedFact];
      const isSame =
        field === 'time' ? Date.parse(String(found)) === Date.parse(String(value)) : found === value;
      if (!isSame) return `has ${field} ${found ?? 'not at all'}, not ${value}`;
    }
  }
  return null;
}
