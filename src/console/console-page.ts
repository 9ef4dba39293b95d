import { createContext, type ReactNode, useContext } from 'react';
import type { ConsoleViewer } from '../core/console/capabilities.ts';
import type { ConsoleDoor, ConsoleTab, ConsoleViewKey } from '../core/console/console-view.ts';
import type { CommissionFold } from '../server/commissions/commission-fold.ts';
import type { ForeignSums } from './reports/periods.ts';
import type { ConsoleQuery } from './reports/query.ts';
import type { SiteNames } from './reports/site-pages.ts';
import type { WithoutJourney } from './reports/without-journey.ts';

/** A tab with its address. */
export interface ConsoleLink extends ConsoleTab {
  readonly href: string;
  readonly isHere: boolean;
}

/** One sentence about what the last posted form did. */
export interface ConsoleNotice {
  readonly message: string;
  readonly isError: boolean;
}

/** What is around a view. */
export interface ConsoleFrame {
  readonly siteName: string;
  /** Whether all data were generated. */
  readonly isSample: boolean;
  /** Whether the operator looks at made-up data, which one click ends. */
  readonly isLookingAround: boolean;
  /** IANA name; times are shown in it. */
  readonly timeZone: string;
  readonly view: ConsoleViewKey;
  readonly title: string;
  /** The doors with what waits there and the tabs that this viewer may open; empty behind a share link. */
  readonly navigation: readonly (Omit<ConsoleDoor, 'tabs'> & {
    readonly count: number;
    readonly tabs: readonly ConsoleLink[];
  })[];
  /** What the content calls pages, partners, topics and answers. */
  readonly names: SiteNames;
  readonly query: ConsoleQuery;
  /** Whether there is a click or a commission that a range can have. */
  readonly hasRange: boolean;
  /** Currencies in which there are commissions, the one with the most money first. */
  readonly currencies: readonly string[];
  /** The currency in which totals are shown unless the query names another one; null without one. */
  readonly reportingCurrency: string | null;
  /** The money of other currencies than that of the totals; null where the view shows each currency by itself. */
  readonly foreign: ForeignSums | null;
  /** What of the view is without journey; null where nothing depends on that. */
  readonly withoutJourney: WithoutJourney | null;
  /** What of the figures is not computed yet. */
  readonly folding: Awaited<ReturnType<CommissionFold['readState']>>;
  /** What of the address was not understood, one sentence each. */
  readonly problems: readonly string[];
  /** All parameters of the address, as it has them. */
  readonly parameters: string;
  /** The path below the view, decoded. */
  readonly rest: readonly string[];
  readonly viewer: ConsoleViewer;
  /** Part of every form that changes something; empty behind a share link. */
  readonly formToken: string;
  readonly notice: ConsoleNotice | null;
  /** Where the table of the view is exported, for the same query; null when it has none. */
  readonly exportHref: string | null;
  /** When the share link ends, in ms since 1970; null for operators. */
  readonly sharedUntil: number | null;
}

/** The frame of the view that is rendered. */
export const FrameContext = createContext<ConsoleFrame | null>(null);

/** What is around the view that a component is part of. Throws outside of one. */
export function useFrame(): ConsoleFrame {
  const frame = useContext(FrameContext);
  if (frame === null) throw new TypeError('The component is part of no view of the console.');
  return frame;
}

/** What the component of a view gets. */
export interface ViewProps<Model> {
  readonly model: Model;
}

/** A page of the console, authorized: what the shell renders. */
export type ConsolePage =
  | { readonly kind: 'view'; readonly frame: ConsoleFrame; readonly content: ReactNode }
  | SignInPage
  | ConfirmPage
  | SetupPage
  | KeptPage
  | RefusedPage
  // Opens an address of the console at once.
  | { readonly kind: 'reload'; readonly siteName: string; readonly href: string };

/** The form that asks for name and password. */
export interface SignInPage {
  readonly kind: 'sign-in';
  readonly siteName: string;
  /** Where the console is opened after sign-in: a path of the console with its query. */
  readonly next: string;
  readonly name: string;
  readonly error: string | null;
}

/** The form that asks an operator who is signed in for the password again, before it does what another form asked for. */
export interface ConfirmPage {
  readonly kind: 'confirm';
  readonly siteName: string;
  /** The path that the form is posted to: that of the other form. */
  readonly action: string;
  readonly token: string;
  /** The fields of the other form. */
  readonly fields: Readonly<Record<string, string>>;
  readonly passwordField: string;
  /** What the other form asked for: `Add an operator`. */
  readonly purpose: string;
  /** Why it asks, and for how long it does not ask again: sentences. */
  readonly reason: string;
  readonly name: string;
  /** Whether the operator can use a passkey instead. */
  readonly hasPasskeys: boolean;
  readonly error: string | null;
}

/** The form behind a one-time address: a new operator chooses a name and a password, a known one a password. */
export interface SetupPage {
  readonly kind: 'setup';
  readonly siteName: string;
  /** The path that the form is posted to. */
  readonly action: string;
  readonly name: string;
  /** false: the name is fixed, the password is set again. */
  readonly isNew: boolean;
  readonly error: string | null;
}

/** Why a form was not handled, with its text and a button that sends it again. */
export interface KeptPage {
  readonly kind: 'kept';
  readonly siteName: string;
  readonly title: string;
  readonly message: string;
  /** The path that the form is posted to. */
  readonly action: string;
  readonly token: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the session has ended. */
  readonly isSignedOut: boolean;
}

/** Why a request of the console was refused, with one way on. */
export interface RefusedPage {
  readonly kind: 'refused';
  readonly siteName: string;
  readonly title: string;
  readonly message: string;
  readonly link: { readonly href: string; readonly text: string } | null;
}
