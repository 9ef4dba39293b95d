import { buildCsvLine } from '../text/csv.ts';
import { CAMPAIGN_PARAMETERS } from './campaign.ts';
import type { SiteEvent } from './site-event.ts';

/** Those that the export had first. */
const FIRST_PARAMETERS = 15;

/** The columns of the CSV export. Programs depend on them: add at the end, never rename or move. */
const COLUMNS = [
  'id',
  'name',
  'server_time',
  'client_time',
  'session',
  'page',
  'label',
  'value',
  'flags',
  ...CAMPAIGN_PARAMETERS.slice(0, FIRST_PARAMETERS),
  'data',
  ...CAMPAIGN_PARAMETERS.slice(FIRST_PARAMETERS),
] as const;

/** Builds the header line of the export, with its line break (RFC 4180). */
export function buildCsvHead(): string {
  return buildCsvLine(COLUMNS);
}

/** Builds the line of one event. Times are ISO 8601, flags are joined by spaces, custom data is JSON. */
export function buildCsvRow(event: SiteEvent): string {
  const campaign = CAMPAIGN_PARAMETERS.map((name) => event.campaign[name] ?? '');
  return buildCsvLine([
    event.id,
    event.name,
    buildTime(event.serverTime),
    event.clientTime === null ? null : buildTime(event.clientTime),
    event.session,
    event.page,
    event.label,
    event.value,
    event.flags.join(' '),
    ...campaign.slice(0, FIRST_PARAMETERS),
    JSON.stringify(event.data),
    ...campaign.slice(FIRST_PARAMETERS),
  ]);
}

function buildTime(ms: number): string {
  return new Date(ms).toISOString();
}
