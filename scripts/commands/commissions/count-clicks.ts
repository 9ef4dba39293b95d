import {
  buildClickCounts,
  type ClickCounts,
  type ReportOptions,
} from '../../../src/core/commissions/commission-report.ts';
import { getLocalDay } from '../../../src/core/commissions/local-time.ts';
import type { OpenedLedger } from './open-ledger.ts';

/** Counts the clicks of a report. Days are those of TIME_ZONE, in which the site counts its events. */
export async function countClicks(
  { rollups, config }: Pick<OpenedLedger, 'rollups' | 'config'>,
  { by, from, to, answerField }: Pick<ReportOptions, 'by' | 'from' | 'to' | 'answerField'>,
): Promise<ClickCounts> {
  if (rollups === null) return new Map();
  const range = {
    from: from === 0 ? undefined : getLocalDay(from, config.TIME_ZONE),
    to: to === Number.MAX_SAFE_INTEGER ? undefined : getLocalDay(to - 1, config.TIME_ZONE),
  };
  const groups =
    by === 'month'
      ? await rollups.readByDay({ dimension: 'partner', ...range })
      : await rollups.readByKey({ dimension: by, ...range });
  return buildClickCounts(groups, { by, answerField });
}
