import { DAY_MS } from '../../core/clock.ts';
import { AD_PLATFORMS, PLATFORM_NAMES } from '../../core/commissions/cost/campaign-cost.ts';
import type { CostFileProfile } from '../../core/commissions/cost/cost-columns.ts';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import {
  assignCampaign,
  importCosts,
  previewCosts,
  readReportedCampaigns,
} from '../../server/commissions/cost-import.ts';
import type { campaignActions, Handlers } from '../actions.ts';
import type { ActionOutcome, ConsoleSite } from '../console-site.ts';
import { formatCount } from '../reports/format.ts';
import { answerUpload, discardUpload, GONE, leadTo, openUploads, uploadFile } from './run-imports.ts';
import { type ImportUpload, tryPreview } from './uploads.ts';

/** What importing an uploaded file of costs would bring, or why it cannot be read. */
export type CostPreview = NonNullable<Awaited<ReturnType<typeof previewCostUpload>>>;

const LEAD = leadTo('campaigns', 'costs');
const { finish, fail } = LEAD;
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

/** Builds what the console shows of an uploaded file of costs; null for another file. */
export async function previewCostUpload(site: ConsoleSite, upload: ImportUpload) {
  const { id, name, platform } = upload;
  if (platform === null) return null;
  const { profile, open } = describeUpload(site, upload, platform);
  const preview = await tryPreview(() => previewCosts(site.money, open, profile));
  return { upload: id, file: name, platformName: PLATFORM_NAMES[platform], ...preview };
}

function describeUpload(
  site: ConsoleSite,
  upload: ImportUpload,
  platform: CostFileProfile['platform'],
): { readonly profile: CostFileProfile; readonly open: () => AsyncGenerator<Uint8Array> } {
  const open = () => openUploads(site).read(upload);
  const now = site.clock.now();
  return { profile: { ...upload.profile, platform, now }, open };
}

/** Imports a file of costs that was uploaded, as a whole. */
async function commitCosts(site: ConsoleSite, id: string, operator: string): Promise<ActionOutcome> {
  const upload = await openUploads(site).get(id, operator);
  const platform = upload?.platform ?? null;
  if (upload === null || platform === null) return fail(GONE);
  try {
    const { profile, open } = describeUpload(site, upload, platform);
    const summary = await importCosts(site.money, open, profile, {
      file: upload.name,
      now: site.clock.now(),
    });
    if (!summary.committed) return fail(`Nothing was imported. ${summary.problems[0] ?? ''}`);
    await openUploads(site).remove(upload.id);
    return finish(`${upload.name} was imported: ${formatCount(summary.rows, 'cost')}.`, '#costs');
  } catch (error) {
    if (!(error instanceof CommissionSourceError)) throw error;
    return fail(`Nothing was imported. ${error.message}`);
  }
}

/** Takes a file of costs, or an amount that was typed in, back. */
async function undoCosts({ clock, money: { costs } }: ConsoleSite, entry: string): Promise<ActionOutcome> {
  return (await costs.undo(entry, clock.now()))
    ? finish('The costs were undone. What they had replaced counts again.', '#costs')
    : fail('There are no such costs, or they are undone already.');
}

/** Names the campaign of the reports that the campaign of a platform is. */
async function assignCost(
  site: ConsoleSite,
  { platform, name, campaign }: Readonly<Record<'platform' | 'name' | 'campaign', string>>,
): Promise<ActionOutcome> {
  const problem = await assignCampaign(site.money, platform, name, campaign);
  return problem === null ? finish(`${name} counts as ${campaign} now.`, '#costs') : fail(problem);
}

/** Takes what platforms export: read, answered, imported and taken back. */
export const runCosts: Pick<
  Handlers<typeof campaignActions.actions>,
  'upload-costs' | 'answer-costs' | 'commit-costs' | 'discard-costs' | 'undo-costs' | 'assign-cost'
> = {
  async 'upload-costs'(site, { platform: name, file, ...answers }, { viewer }) {
    const platform = AD_PLATFORMS.find((known) => known === name);
    if (platform === undefined) return fail('Choose the platform of the file.');
    return uploadFile(site, { file, answers, about: { kind: 'costs', platform } }, viewer.id, LEAD);
  },
  'answer-costs': (site, { upload: id, ...answers }, { viewer }) =>
    answerUpload(site, { id, kind: 'costs', operator: viewer.id }, answers, LEAD),
  'commit-costs': (site, { upload }, { viewer }) => commitCosts(site, upload, viewer.id),
  'discard-costs': (site, { upload }, { viewer }) => discardUpload(site, upload, viewer.id, LEAD),
  'undo-costs': (site, { entry }) => undoCosts(site, entry),
  'assign-cost': assignCost,
};
