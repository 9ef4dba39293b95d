import { buildRedirectPath, parseRedirectPath } from '../paths.ts';
import type { Partner } from './partner.ts';

/** Where a path of the redirect leads. */
export interface PartnerTarget {
  readonly partner: Partner;
  /** Page key that the path sets; null when the query does (`/go/kit?page=demo`). */
  readonly pageKey: string | null;
}

/** Returns the partner that a path leads to through the redirect: `/go/{key}` or the partner's trial path. */
export function matchPartnerPath(path: string, partners: ReadonlyMap<string, Partner>): PartnerTarget | null {
  const key = parseRedirectPath(path);
  const named = key === null ? undefined : partners.get(key);
  if (named !== undefined) return { partner: named, pageKey: null };
  for (const partner of partners.values()) {
    if (partner.trialPath === path) return { partner, pageKey: 'trial' };
  }
  return null;
}

/** Whether a path belongs to the redirect, also when it names a partner that does not exist. */
export function isPartnerPath(path: string, partners: ReadonlyMap<string, Partner>): boolean {
  return parseRedirectPath(path) !== null || matchPartnerPath(path, partners) !== null;
}

/** Lists every path that leads to a partner, for example `/go/kit` and `/kit-trial`. */
export function listPartnerPaths(partners: ReadonlyMap<string, Partner>): string[] {
  return [...buildPartnerTargets(partners).keys()];
}

export function buildPartnerTargets(
  partners: ReadonlyMap<string, Partner>,
): ReadonlyMap<string, PartnerTarget> {
  return new Map(
    [...partners.values()].flatMap((partner): [string, PartnerTarget][] => [
      [buildRedirectPath(partner.key), { partner, pageKey: null }],
      ...(partner.trialPath === null
        ? []
        : [[partner.trialPath, { partner, pageKey: 'trial' }] as [string, PartnerTarget]]),
    ]),
  );
}
