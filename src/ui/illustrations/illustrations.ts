import { BlankSignpost } from './blank-signpost.tsx';
import { InvoiceFold } from './invoice-fold.tsx';
import { OneTab } from './one-tab.tsx';
import { RatingLedger } from './rating-ledger.tsx';
import { SignpostRoutes } from './signpost-routes.tsx';
import { TwoWeeks } from './two-weeks.tsx';

/** Every illustration by the name that content calls it. */
export const ILLUSTRATIONS = {
  'blank-signpost': BlankSignpost,
  'invoice-fold': InvoiceFold,
  'one-tab': OneTab,
  'rating-ledger': RatingLedger,
  'signpost-routes': SignpostRoutes,
  'two-weeks': TwoWeeks,
} as const;
