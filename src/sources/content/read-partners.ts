import { partnerSchema } from '../../core/outbound/partner.schema.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import type { KnownPartners } from '../../core/pages/partner-link-check.ts';
import { isReservedPath } from '../../core/paths.ts';
import type { ContentFolder } from './content-folder.ts';

/** Reads `partners/*.yaml`; the partners by key. A file with problems is in `invalid`, so that it is reported once. */
export function readPartners(folder: ContentFolder): KnownPartners {
  const partners = new Map<string, Partner>();
  const owners = new Map<string, string>();
  for (const [name, partner] of folder.readFolder('partners', partnerSchema)) {
    const { key, trialPath } = partner;
    const report = (field: string, reason: string) =>
      folder.problems.push({ file: `partners/${name}.yaml`, field, reason });
    if (key !== name) report('key', `must be the file's name, "${name}"`);
    if (trialPath !== null && isReservedPath(trialPath)) {
      report('trialPath', `the site responds at ${trialPath} itself`);
    }
    const owner = trialPath === null ? undefined : owners.get(trialPath);
    if (owner !== undefined)
      report('trialPath', `${trialPath} is the trial path of partner "${owner}" already`);
    if (trialPath !== null) owners.set(trialPath, name);
    partners.set(name, partner);
  }
  const invalid = new Set(folder.listNames('partners').filter((name) => !partners.has(name)));
  return { partners, invalid };
}
