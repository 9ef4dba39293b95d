import { CommissionLedger } from '../../server/commissions/ledger.ts';
import { Arrivals } from '../../stores/arrivals.ts';
import { Costs } from '../../stores/costs.ts';
import { Ledger } from '../../stores/ledger.ts';
import { AnalyticsOutbox, NotificationOutbox } from '../../stores/outboxes.ts';
import { SqlError, type SqlExecutor } from '../../stores/sql/sql-executor.ts';
import type { ConsoleSite } from '../console-site.ts';
import { PeriodReader } from '../reports/periods.ts';

/** A database that has no rows and takes none. */
const NO_ROWS: SqlExecutor = {
  query: async () => [],
  async batch() {
    throw new SqlError('invalid', 'nothing about money is written for an operator who may not see it');
  },
  close: async () => undefined,
};

const hidden = new WeakMap<PeriodReader, Partial<ConsoleSite>>();

/**
 * The site for an operator who may not see money: its ledger, costs and notifications are empty, so that no view can
 * show an amount, whatever it reads.
 */
export function hideMoney(site: ConsoleSite): ConsoleSite {
  // Requests differ in their content, and share the rest of the console.
  const known = hidden.get(site.periods) ?? createHidden(site);
  hidden.set(site.periods, known);
  return { ...site, ...known };
}

function createHidden(site: ConsoleSite): Partial<ConsoleSite> {
  const { clock, newId, log, settings } = site;
  const { clicks } = site.money;
  const ledger = new Ledger(NO_ROWS);
  const money = {
    ...site.money,
    ledger,
    costs: new Costs(NO_ROWS),
    arrivals: new Arrivals(NO_ROWS),
    analyticsOutbox: new AnalyticsOutbox(NO_ROWS),
    commissions: new CommissionLedger({
      store: ledger,
      clicks,
      now: clock.now,
      newId,
      log,
      ownHosts: settings.siteHosts,
      // Without commissions there is nothing that terms apply to.
      readTerms: () => new Map(),
    }),
  };
  return {
    money,
    operators: { ...site.operators, notifications: new NotificationOutbox(NO_ROWS) },
    readAlerts: async () => [],
    periods: new PeriodReader({ ...site, money }),
  };
}
