import type { ConsoleViewKey } from '../core/console/console-view.ts';
import type { ConsoleViewer } from '../core/console/operator.ts';
import type { AssessmentModel } from './assessment/read.ts';
import type { CampaignsModel } from './campaigns/read.ts';
import type { CommissionDetailModel } from './commissions/detail.ts';
import type { CommissionsModel } from './commissions/read.ts';
import type { ContentModel } from './content/read.ts';
import type { SiteNames } from './figures/names.ts';
import type { ConsoleQuery } from './figures/query.ts';
import type { ImportModel } from './import/read.ts';
import type { JourneysModel } from './journeys/read.ts';
import type { LiveModel } from './live/read.ts';
import type { MessagesModel } from './messages/read.ts';
import type { OverviewModel } from './overview/read.ts';
import type { PagesModel } from './pages/read.ts';
import type { PartnersModel } from './partners/read.ts';
import type { PlacementsModel } from './placements/read.ts';
import type { SettingsModel } from './settings/read.ts';
import type { UnmatchedModel } from './unmatched/read.ts';

/** What each view shows. A view has a line here, a reader in `compose/console.ts` and a component. */
export interface ConsoleViewModels {
  readonly overview: OverviewModel;
  readonly pages: PagesModel;
  readonly placements: PlacementsModel;
  readonly campaigns: CampaignsModel;
  readonly assessment: AssessmentModel;
  readonly journeys: JourneysModel;
  readonly commissions: CommissionsModel | CommissionDetailModel;
  readonly unmatched: UnmatchedModel;
  readonly partners: PartnersModel;
  readonly live: LiveModel;
  readonly content: ContentModel;
  readonly messages: MessagesModel;
  readonly import: ImportModel;
  readonly settings: SettingsModel;
}

/** A view with its model. */
export type ConsoleViewPage = {
  readonly [Key in ConsoleViewKey]: { readonly view: Key; readonly model: ConsoleViewModels[Key] };
}[ConsoleViewKey];

/** A link of the navigation; `count` is what waits there, null when nothing is counted. */
export interface ConsoleLink {
  readonly view: ConsoleViewKey;
  readonly name: string;
  readonly href: string;
  readonly count: number | null;
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
  /** IANA name; times are shown in it. */
  readonly timeZone: string;
  readonly view: ConsoleViewKey;
  /** Name of the view. */
  readonly title: string;
  /** The views that this viewer may open; empty behind a share link. */
  readonly navigation: readonly ConsoleLink[];
  /** What the content calls pages, partners, topics and answers. */
  readonly names: SiteNames;
  readonly query: ConsoleQuery;
  /** Currencies in which there are commissions, the one with the most money first. */
  readonly currencies: readonly string[];
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

/** A page of the console, authorized: what the shell renders. */
export type ConsolePage =
  | { readonly kind: 'view'; readonly frame: ConsoleFrame; readonly page: ConsoleViewPage }
  | SignInPage
  | SetupPage
  | RefusedPage
  | ReloadPage;

/** The form that asks for name and password. */
export interface SignInPage {
  readonly kind: 'sign-in';
  readonly siteName: string;
  /** Where the console is opened after sign-in: a path of the console with its query. */
  readonly next: string;
  readonly name: string;
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

/** Opens an address of the console at once. */
export interface ReloadPage {
  readonly kind: 'reload';
  readonly siteName: string;
  readonly href: string;
}

/** Why a request of the console was refused, with one way on. */
export interface RefusedPage {
  readonly kind: 'refused';
  readonly siteName: string;
  readonly title: string;
  readonly message: string;
  readonly link: { readonly href: string; readonly text: string } | null;
}
