import { existsSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { type Networks, networkSchema } from '../core/commissions/networks/network.schema.ts';
import type { Partner } from '../core/outbound/partner.ts';
import { findNearest } from '../core/text/words.ts';
import { ContentFolder } from './content-folder.ts';

const FOLDER = 'networks';

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
  const networks = new Map([...readShippedNetworks(), ...own]);
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

/** The text of a network's file that is proposed. */
export const writeNetwork = (file: object): string => stringify(file, { lineWidth: 120 });
