import type { Partner } from '../partners/partner.ts';

/** Paths that lead to a partner's trial through the redirect, by themselves. */
const TRIAL_PATHS: Readonly<Record<string, string>> = {
  '/activecampaign-trial': 'activecampaign',
  '/kit-trial': 'kit',
  '/hubspot-trial': 'hubspot',
};

/** Where a path of the redirect leads: the partner, and the page key when the path sets one. */
export interface GoTarget {
  readonly partner: Partner;
  readonly pageKey: string | null;
}

/** The partner that `/go/{partner}` or one of the three trial paths leads to; null for any other path. */
export function matchGoPath(path: string, partners: ReadonlyMap<string, Partner>): GoTarget | null {
  const trial = Object.hasOwn(TRIAL_PATHS, path) ? TRIAL_PATHS[path] : undefined;
  const key = trial ?? /^\/go\/([a-z0-9-]{1,40})$/.exec(path)?.[1];
  const partner = key === undefined ? undefined : partners.get(key);
  return partner ? { partner, pageKey: trial ? 'trial' : null } : null;
}
