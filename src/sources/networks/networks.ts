import type { MessageFields, ParsedMessage } from '../../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms, Network } from '../../core/commissions/ledger/commission-terms.ts';
import { findReportProblem, getText } from '../../core/commissions/ledger/message-fields.ts';
import { awin } from './awin.ts';
import { dub } from './dub.ts';
import { firstPromoter } from './firstpromoter.ts';
import { parseGenericMessage } from './generic.ts';
import { impact } from './impact.ts';
import type { NetworkModule } from './network-report.ts';
import { partnerStack } from './partnerstack.ts';
import { rewardful } from './rewardful.ts';
import { tolt } from './tolt.ts';

/** Every network by its name in a partner's file. */
const NETWORK_MODULES = {
  generic: { parseMessage: () => null, signatureHeader: null },
  firstpromoter: firstPromoter,
  partnerstack: partnerStack,
  impact,
  rewardful,
  dub,
  tolt,
  awin,
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

/** Networks whose messages are recognized without their name in the partner's file, because no other has their shape. */
const RECOGNIZED = [
  awin,
  tolt,
  firstPromoter,
  rewardful,
  impact,
] as const satisfies readonly NetworkModule<string>[];

/**
 * Parses a message of a partner's network: in the network's own shape, else as the documented postback. A report that
 * cannot count as it is makes the message invalid.
 */
export function parseNetworkMessage(fields: MessageFields, terms: CommissionTerms): ParsedMessage {
  const message = parseShape(fields, terms);
  if (message.kind !== 'reports') return message;
  const word = getText(fields, 'kind', 'type', 'etype', 'et');
  const problem = message.reports
    .map((report) => findReportProblem(report, word))
    .find((text) => text !== null);
  return problem === undefined ? message : { kind: 'invalid', detail: problem };
}

function parseShape(fields: MessageFields, terms: CommissionTerms): ParsedMessage {
  const own = NETWORK_MODULES[terms.network].parseMessage(fields, terms);
  if (own !== null) return own;
  if (terms.network === 'generic') {
    for (const { parseMessage } of RECOGNIZED) {
      const message = parseMessage(fields, terms);
      if (message?.kind === 'reports') return message;
    }
  }
  return parseGenericMessage(fields, terms);
}

/** What the addresses of postbacks need of all networks. */
export const networks = {
  parseMessage: parseNetworkMessage,
  /** Names of the headers in which networks sign their webhooks. */
  signatureHeaders: Object.values(NETWORK_MODULES).flatMap(({ signatureHeader }) => signatureHeader ?? []),
};
