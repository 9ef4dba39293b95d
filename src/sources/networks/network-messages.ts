import type { MessageFields, ParsedMessage, ParseMessage } from '../../core/commissions/commission-source.ts';
import type { CommissionTerms, Network } from '../../core/commissions/commission-terms.ts';
import { parseDubMessage } from './dub.ts';
import { parseFirstPromoterMessage } from './firstpromoter.ts';
import { parseGenericMessage } from './generic.ts';
import { parseImpactMessage } from './impact.ts';
import { parsePartnerStackMessage } from './partnerstack.ts';
import { parseRewardfulMessage } from './rewardful.ts';

/** Parses a message of a partner's network: in the network's own shape, else as the documented postback. */
export const parseNetworkMessage = (fields: MessageFields, terms: CommissionTerms): ParsedMessage =>
  PARSERS[terms.network](fields, terms) ?? parseGenericMessage(fields, terms);

const PARSERS: Readonly<Record<Network, ParseMessage>> = {
  generic: () => null,
  firstpromoter: parseFirstPromoterMessage,
  partnerstack: parsePartnerStackMessage,
  impact: parseImpactMessage,
  rewardful: parseRewardfulMessage,
  dub: parseDubMessage,
};
