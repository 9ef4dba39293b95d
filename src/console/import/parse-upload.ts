import { REPORT_COLUMNS, type ReportColumn } from '../../core/commissions/csv-columns.ts';
import { isTimeZone } from '../../core/commissions/local-time.ts';
import type { ImportProfile } from '../../server/commissions/detect-import-format.ts';
import { getFormText } from '../console-form.ts';

/** A file that an operator has posted, and what was said about it. */
export interface ParsedUpload {
  /** Name of the file, without folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly partner: string;
  readonly profile: ImportProfile;
}

export const MAX_UPLOAD_MB = 16;
const MAX_BYTES = MAX_UPLOAD_MB * 1024 * 1024;
const MAX_NAME_LENGTH = 120;

/** Parses the form of an upload. Currency and time zone are required: a wrong guess would change every amount. */
export async function parseUpload(
  form: FormData,
  partners: readonly string[],
): Promise<ParsedUpload | { readonly problem: string }> {
  const getText = (name: string) => getFormText(form, name);
  const file = form.get('file');
  const partner = getText('partner');
  const currency = getText('currency').toUpperCase();
  const timeZone = getText('timeZone');
  const dates = getText('dates');
  if (!(file instanceof File) || file.size === 0) return { problem: 'Choose a CSV file that is not empty.' };
  if (file.size > MAX_BYTES) return { problem: `The file is larger than ${MAX_UPLOAD_MB} MB.` };
  if (!partners.includes(partner)) return { problem: 'Choose the partner of the file.' };
  if (!/^[A-Z]{3}$/.test(currency))
    return { problem: 'The currency is a code of three letters such as USD.' };
  if (!isTimeZone(timeZone)) return { problem: 'The time zone is a name such as America/New_York.' };
  const dayOrder = dates === 'day-first' || dates === 'month-first' ? dates : undefined;
  const columns = parseColumns(getText);
  return {
    name: parseName(file.name),
    bytes: new Uint8Array(await file.arrayBuffer()),
    partner,
    profile: { currency, timeZone, ...(dayOrder && { dayOrder }), ...(columns && { columns }) },
  };
}

/** The headers that the operator has named, where the detection is wrong. */
function parseColumns(getText: (name: string) => string): ImportProfile['columns'] {
  const named = REPORT_COLUMNS.map((name): [ReportColumn, string] => [name, getText(`column-${name}`)]);
  const filled = named.filter(([, header]) => header !== '');
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}

/** A name is shown and stored: no folders, no control characters. */
function parseName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  return last.replace(/[\p{Cc}\p{Cf}]/gu, '').slice(0, MAX_NAME_LENGTH) || 'file.csv';
}
