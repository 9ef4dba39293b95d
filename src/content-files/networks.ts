import { existsSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import {
  describeClasses,
  matchesClasses,
  type NetworkFile,
  type Networks,
  networkSchema,
} from '../core/commissions/networks/network.schema.ts';
import { buildSecretPrefix, listSecretNames } from '../core/commissions/networks/network-access.ts';
import { listLabels } from '../core/outbound/labels.ts';
import { isPayeeLabel, type Partner } from '../core/outbound/partner.ts';
import { findNearest } from '../core/text/words.ts';
import { ContentFolder } from './content-folder.ts';

const FOLDER = 'networks';

/** Whether a path below the content folder, with its ending or without it, is that of a network's file. */
export const isNetworkFile = (file: string): boolean => file.startsWith(`${FOLDER}/`);
/** Why the file of a network was not changed or confirmed, or that of a partner not given to another one. */
export const NETWORK_REFUSED =
  'The file of a network decides which hosts get secrets and how money is read: who may manage and see money changes it, or the network of a partner.';

let shipped: Networks | undefined;

/** The networks that ship with the program, which is bundled or not; read once. Throws `ContentError`. */
export function readShippedNetworks(): Networks {
  if (shipped !== undefined) return shipped;
  const places = ['../..', '..', '../../..'].map((up) => path.resolve(import.meta.dirname, up));
  const root = places.find((place) => existsSync(path.join(place, FOLDER, 'generic.yaml')));
  const folder = new ContentFolder(root ?? places[0] ?? '.');
  const networks = folder.readFolder(FOLDER, networkSchema);
  folder.finish();
  shipped = networks;
  return shipped;
}

/** Reads `networks/*.yaml` of a content folder beside those that ship; an own file of the same name wins. */
export function readNetworks(folder: ContentFolder, partners: ReadonlyMap<string, Partner>): Networks {
  const own = folder.readFolder(FOLDER, networkSchema);
  const networks = new Map<string, NetworkFile>(readShippedNetworks());
  const shippedNames = [...networks.values()].flatMap(listSecretNames);
  for (const [name, file] of own) {
    const ships = networks.get(name) ?? null;
    networks.set(name, { ...file, shipped: ships });
    const prefix = buildSecretPrefix(name);
    for (const secret of listSecretNames(file)) {
      const isOther = ships === null && shippedNames.includes(secret);
      const reason = `names the secret ${secret}: its own begin with ${prefix} and belong to no other network`;
      // A site that had it goes on; nobody saves it again.
      if (isOther || !secret.startsWith(prefix))
        folder.warnings.push({ file: `${FOLDER}/${name}.yaml`, field: '', reason });
    }
  }
  const invalid = new Set(folder.listNames(FOLDER).filter((name) => !own.has(name)));
  for (const [key, { terms }] of partners) {
    if (networks.has(terms.network) || invalid.has(terms.network)) continue;
    const file = `partners/${key}.yaml`;
    const nearest = findNearest(terms.network, [...networks.keys()]);
    const hint = nearest === null ? '' : `; did you mean "${nearest}"?`;
    folder.openReport(file, folder.documents.get(file))(
      ['network'],
      `no network is called "${terms.network}"${hint}`,
    );
  }
  return networks;
}

/**
 * Completes partners by what their networks say of links and labels, and reports what these do not take. Links of a network that
 * forbids ids of clicks have none, whatever the partner's file says.
 */
export function fillLabels(
  folder: ContentFolder,
  partners: ReadonlyMap<string, Partner>,
  networks: Networks,
): ReadonlyMap<string, Partner> {
  return new Map(
    [...partners].map(([key, partner]) => {
      const { labels, terms, affiliate } = partner;
      const { label: known, clickIds } = networks.get(terms.network)?.link ?? {};
      const file = `partners/${key}.yaml`;
      const report = folder.openReport(file, folder.documents.get(file));
      const isForbidden = partner.subId !== null && clickIds === 'forbidden';
      const warn = folder.openReport(file, folder.documents.get(file), folder.warnings);
      // A site that had it goes on; nobody saves it again.
      if (isForbidden)
        warn(['subId'], `${terms.network} forbids click ids, so links have none: set subId: null`);
      const subId = isForbidden ? null : partner.subId;
      if (labels === undefined) return [key, { ...partner, subId }];
      const parameter = labels.parameter ?? known?.parameter;
      if (parameter === undefined)
        report(['labels', 'parameter'], `is missing, and ${terms.network} names no parameter for labels`);
      for (const [page, address] of partner.destinations)
        if (parameter !== undefined && URL.canParse(address) && new URL(address).searchParams.has(parameter))
          report(['destinations', page], `has ${parameter} in it, which labels set`);
      const filled = {
        ...labels,
        parameter,
        usualDays: known?.usualDays ?? 3,
        longestDays: known?.longestDays ?? 90,
      };
      const ids = listLabels(labels);
      const { maxLength = 100, pattern, most: limit } = parameter === known?.parameter ? (known ?? {}) : {};
      for (const id of ids) {
        const at = labels.pool.includes(id)
          ? ['labels', 'pool', labels.pool.indexOf(id)]
          : ['labels', 'uses', labels.uses.findIndex((one) => one.id === id), 'id'];
        if (id.length > maxLength)
          report(at, `has more than the ${maxLength} characters that ${terms.network} takes`);
        else if (pattern !== undefined && !matchesClasses(id, pattern))
          report(at, `is no id of ${terms.network}, which has ${describeClasses(pattern)}`);
      }
      const most = labels.most ?? limit;
      const isOwnId = isPayeeLabel(affiliate, filled) && affiliate !== null && !ids.includes(affiliate.value);
      const count = ids.length + Number(isOwnId);
      if (most !== undefined && count > most)
        report(
          ['labels'],
          `has ${count} ids with that of the partner, and the account may have ${most}: see most`,
        );
      return [key, { ...partner, subId, labels: filled }];
    }),
  );
}

/** The text of a network's file that is proposed. */
export const writeNetwork = (file: object): string => stringify(file, { lineWidth: 120 });
