import { DAY_MS } from '../../core/clock.ts';
import { PLATFORM_NAMES } from '../../core/commissions/cost/campaign-cost.ts';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import {
  assignCampaign,
  type CostFileProfile,
  type CostSummary,
  importCosts,
  previewCosts,
  readReportedCampaigns,
} from '../../server/commissions/cost-import.ts';
import type { ActionOutcome, ConsoleSite } from '../console-site.ts';
import { fail, finish, openUploads } from './run-imports.ts';
import { getMaxUploadMb, type ImportUpload, parseCostUpload } from './uploads.ts';

/** What importing an uploaded file of costs would bring, or why it cannot be read. */
export interface CostPreview {
  readonly upload: string;
  readonly file: string;
  readonly platformName: string;
  /** Null when the file cannot be read. */
  readonly summary: CostSummary | null;
  readonly problems: readonly string[];
}

const MAX_ENTRIES = 50;
const MAX_REPORTED = 500;
const PROPOSED_MS = 91 * DAY_MS;

/** Reads the files and amounts that brought costs, and the campaigns of platforms with those of the reports. */
export async function readCostImports(site: ConsoleSite) {
  const [entries, campaigns] = await Promise.all([
    site.money.costs.readEntries(),
    site.money.costs.readCampaigns(),
  ]);
  const hasCampaigns = campaigns.length > 0;
  const since = new Date(site.clock.now() - PROPOSED_MS).toISOString().slice(0, 10);
  return {
    /** The one that changed last first. */
    entries: entries.toReversed().slice(0, MAX_ENTRIES),
    /** Those without a campaign of the reports first. */
    campaigns: campaigns.toSorted(
      (one, other) => Number(one.campaign !== null) - Number(other.campaign !== null),
    ),
    /** What the forms propose: campaigns of the last months, because all of them take long to read. */
    reported: hasCampaigns ? (await readReportedCampaigns(site.money, since)).slice(0, MAX_REPORTED) : [],
  };
}

/** How to say something on the command line. */
const OPTION = /: add --currency USD| \(--[^)]*\)/g;

/** Builds what the console shows of an uploaded file of costs; null for another file. */
export async function previewCostUpload(
  site: ConsoleSite,
  upload: ImportUpload,
): Promise<CostPreview | null> {
  const { id, name, platform } = upload;
  if (platform === null) return null;
  const facts = { upload: id, file: name, platformName: PLATFORM_NAMES[platform] };
  try {
    const { profile, open } = describeUpload(site, upload, platform);
    const summary = await previewCosts(site.money, open, profile);
    return { ...facts, summary, problems: summary.problems.map((problem) => problem.replaceAll(OPTION, '')) };
  } catch (error) {
    if (!(error instanceof CommissionSourceError)) throw error;
    return { ...facts, summary: null, problems: [error.message.replaceAll(OPTION, '')] };
  }
}

function describeUpload(
  site: ConsoleSite,
  upload: ImportUpload,
  platform: CostFileProfile['platform'],
): { readonly profile: CostFileProfile; readonly open: () => AsyncGenerator<Uint8Array> } {
  const { currency, timeZone, dayOrder, decimal } = upload.profile;
  const open = () => openUploads(site).read(upload);
  const now = site.clock.now();
  return { profile: { platform, now, currency, timeZone, dayOrder, decimal }, open };
}

/** Stores the export of a platform that an operator has chosen, for a preview. */
export async function uploadCosts(
  site: ConsoleSite,
  fields: Parameters<typeof parseCostUpload>[0],
  operator: string,
): Promise<ActionOutcome> {
  const parsed = parseCostUpload(fields, getMaxUploadMb(site.platform.uploads).report);
  if ('problem' in parsed) return fail(parsed.problem);
  const uploads = openUploads(site);
  const { file: _, ...about } = parsed;
  const upload = await uploads.receive({ ...about, id: site.newId(), operator }, parsed);
  return finish(`${parsed.name} was read. Nothing is imported yet.`, `?upload=${upload.id}#preview`);
}

/** Imports a file of costs that was uploaded, as a whole. */
export async function commitCosts(
  site: ConsoleSite,
  upload: ImportUpload,
  platform: CostFileProfile['platform'],
): Promise<ActionOutcome> {
  try {
    const { profile, open } = describeUpload(site, upload, platform);
    const summary = await importCosts(site.money, open, profile, {
      file: upload.name,
      now: site.clock.now(),
    });
    if (!summary.committed) return fail(`Nothing was imported. ${summary.problems[0] ?? ''}`);
    await openUploads(site).remove(upload.id);
    return finish(`${upload.name} was imported: ${summary.rows} costs.`, '#costs');
  } catch (error) {
    if (!(error instanceof CommissionSourceError)) throw error;
    return fail(`Nothing was imported. ${error.message}`);
  }
}

/** Takes a file of costs, or an amount that was typed in, back. */
export async function undoCosts(
  { clock, money: { costs } }: ConsoleSite,
  entry: string,
): Promise<ActionOutcome> {
  return (await costs.undo(entry, clock.now()))
    ? finish('The costs were undone. What they had replaced counts again.', '#costs')
    : fail('There are no such costs, or they are undone already.');
}

/** Names the campaign of the reports that the campaign of a platform is. */
export async function assignCost(
  site: ConsoleSite,
  { platform, name, campaign }: Readonly<Record<'platform' | 'name' | 'campaign', string>>,
): Promise<ActionOutcome> {
  const problem = await assignCampaign(site.money, platform, name, campaign);
  return problem === null ? finish(`${name} counts as ${campaign} now.`, '#costs') : fail(problem);
}
