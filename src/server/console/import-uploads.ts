import { LRUCache } from 'lru-cache';
import { REPORT_COLUMNS, type ReportColumn } from '../../core/commissions/csv-columns.ts';
import { isTimeZone } from '../../core/commissions/local-time.ts';
import type { ImportProfile } from '../commissions/detect-import-format.ts';

/** A file that an operator has chosen, between its preview and its import. */
export interface ImportUpload {
  readonly id: string;
  /** Id of the operator who chose it; others do not see it. */
  readonly operator: string;
  /** Name of the file, without folders; shown only. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly partner: string;
  readonly profile: ImportProfile;
}

export const MAX_UPLOAD_MB = 16;
const MAX_BYTES = MAX_UPLOAD_MB * 1024 * 1024;
const MAX_AGE_MS = 30 * 60_000;
const MAX_NAME_LENGTH = 120;

/** The files between preview and import, in memory: at most a few, for half an hour, and none after a restart. */
export class ImportUploads {
  readonly #newId: () => string;
  readonly #uploads = new LRUCache<string, ImportUpload>({
    maxSize: 2 * MAX_BYTES,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
    ttl: MAX_AGE_MS,
  });

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  put(upload: Omit<ImportUpload, 'id'>): string {
    const id = this.#newId();
    this.#uploads.set(id, { ...upload, id });
    return id;
  }

  /** Null for an unknown or old one, and for that of another operator. */
  get(id: string, operator: string): ImportUpload | null {
    const upload = this.#uploads.get(id);
    return upload?.operator === operator ? upload : null;
  }

  remove(id: string, operator: string): void {
    if (this.get(id, operator) !== null) this.#uploads.delete(id);
  }
}

/** Parses the form of an upload. Currency and time zone are required: a wrong guess would change every amount. */
export async function parseUpload(
  form: FormData,
  operator: string,
  partners: readonly string[],
): Promise<{ readonly upload: Omit<ImportUpload, 'id'> } | { readonly problem: string }> {
  const getText = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
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
    upload: {
      operator,
      name: parseName(file.name),
      bytes: new Uint8Array(await file.arrayBuffer()),
      partner,
      profile: { currency, timeZone, ...(dayOrder && { dayOrder }), ...(columns && { columns }) },
    },
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
