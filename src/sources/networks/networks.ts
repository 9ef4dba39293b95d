import type { MessageFields, ParsedMessage } from '../../core/commissions/commission-source.ts';
import type { CommissionTerms, Network } from '../../core/commissions/commission-terms.ts';
import { dub } from './dub.ts';
import { firstPromoter } from './firstpromoter.ts';
import { parseGenericMessage } from './generic.ts';
import { impact } from './impact.ts';
import type { NetworkModule } from './network-report.ts';
import { partnerStack } from './partnerstack.ts';
import { rewardful } from './rewardful.ts';

/** Every network by its name in a partner's file. */
const NETWORK_MODULES = {
  generic: { parseMessage: () => null, signatureHeader: null },
  firstpromoter: firstPromoter,
  partnerstack: partnerStack,
  impact,
  rewardful,
  dub,
} as const satisfies Readonly<Record<Network, NetworkModule<string>>>;

/** The networks that have an API. */
export const NETWORK_APIS = {
  firstpromoter: firstPromoter.api,
  partnerstack: partnerStack.api,
  impact: impact.api,
};

/** The names of the networks that have an API. */
export const API_NETWORKS = [
  'firstpromoter',
  'partnerstack',
  'impact',
] as const satisfies readonly (keyof typeof NETWORK_APIS)[];

/** Parses a message of a partner's network: in the network's own shape, else as the documented postback. */
export const parseNetworkMessage = (fields: MessageFields, terms: CommissionTerms): ParsedMessage =>
  NETWORK_MODULES[terms.network].parseMessage(fields, terms) ?? parseGenericMessage(fields, terms);

/** What the addresses of postbacks need of all networks. */
export const networks = {
  parseMessage: parseNetworkMessage,
  /** Names of the headers in which networks sign their webhooks. */
  signatureHeaders: Object.values(NETWORK_MODULES).flatMap(({ signatureHeader }) => signatureHeader ?? []),
};
