import type { ComponentType } from 'react';
import type { ConsoleViewKey } from '../core/console/console-view.ts';
import { Entrance, RefusalNote, SetupForm, SignInForm } from './access/pages.tsx';
import { AssessmentResultsView } from './assessment/view.tsx';
import { CampaignsView } from './campaigns/view.tsx';
import { CommissionsView } from './commissions/view.tsx';
import type { ConsoleFrame, ConsolePage, ConsoleViewModels, ConsoleViewPage } from './console-page.ts';
import { ContentView } from './content/view.tsx';
import { Frame } from './frame/frame.tsx';
import { ImportView } from './import/view.tsx';
import { JourneysView } from './journeys/view.tsx';
import { LiveView } from './live/view.tsx';
import { MessagesView } from './messages/view.tsx';
import { OverviewView } from './overview/view.tsx';
import { PagesView } from './pages/view.tsx';
import { PartnersView } from './partners/view.tsx';
import { PlacementsView } from './placements/view.tsx';
import { SettingsView } from './settings/view.tsx';
import { UnmatchedView } from './unmatched/view.tsx';

/** Everything in the body of a page of the console. */
export function ConsoleDocument({ page }: { readonly page: ConsolePage }) {
  switch (page.kind) {
    case 'view':
      return (
        <Frame frame={page.frame}>
          <ConsoleView page={page.page} frame={page.frame} />
        </Frame>
      );
    case 'sign-in':
      return <SignInForm page={page} />;
    case 'setup':
      return <SetupForm page={page} />;
    case 'refused':
      return <RefusalNote page={page} />;
    case 'reload':
      return (
        <Entrance siteName={page.siteName} title="Opening the console">
          <p>
            <a href={page.href}>Open it now</a>
          </p>
        </Entrance>
      );
  }
}

/** A page is for one operator alone: the renderer keeps no rendering of it. */
ConsoleDocument.isPrivate = true;

/** The title of a page, for the tab of the browser. */
export function buildConsoleTitle(page: ConsolePage): string {
  switch (page.kind) {
    case 'view':
      return `${page.frame.title} · ${page.frame.siteName}`;
    case 'sign-in':
      return `Sign in · ${page.siteName}`;
    case 'setup':
      return `Set up · ${page.siteName}`;
    case 'refused':
      return `${page.title} · ${page.siteName}`;
    case 'reload':
      return page.siteName;
  }
}

/** The component of every view. */
const VIEW_COMPONENTS: { readonly [Key in ConsoleViewKey]: ComponentType<ViewProps<Key>> } = {
  overview: OverviewView,
  pages: PagesView,
  placements: PlacementsView,
  campaigns: CampaignsView,
  assessment: AssessmentResultsView,
  journeys: JourneysView,
  commissions: CommissionsView,
  unmatched: UnmatchedView,
  partners: PartnersView,
  live: LiveView,
  content: ContentView,
  messages: MessagesView,
  import: ImportView,
  settings: SettingsView,
};

/** Renders the view of a page. */
export function ConsoleView({
  page: { view, model },
  frame,
}: {
  readonly page: ConsoleViewPage;
  readonly frame: ConsoleFrame;
}) {
  // Key and model belong together, which TypeScript cannot follow through the union.
  const View = VIEW_COMPONENTS[view] as ComponentType<ViewProps<typeof view>>;
  return <View model={model} frame={frame} />;
}

/** What the component of a view gets. */
export interface ViewProps<Key extends ConsoleViewKey> {
  readonly model: ConsoleViewModels[Key];
  readonly frame: ConsoleFrame;
}
