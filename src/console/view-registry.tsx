import type { ComponentType } from 'react';
import type { BuiltViewKey, ConsoleFrame, ConsoleViewPage } from '../core/console/console-page.ts';
import { SettingsView } from './settings-view.tsx';
import type { ViewProps } from './view-props.ts';
import { AssessmentResultsView } from './views/assessment-results-view.tsx';
import { CampaignsView } from './views/campaigns-view.tsx';
import { CommissionsView } from './views/commissions-view.tsx';
import { ContentView } from './views/content-view.tsx';
import { ImportView } from './views/import-view.tsx';
import { JourneysView } from './views/journeys-view.tsx';
import { LiveView } from './views/live-view.tsx';
import { MessagesView } from './views/messages-view.tsx';
import { OverviewView } from './views/overview-view.tsx';
import { PagesView } from './views/pages-view.tsx';
import { PartnersView } from './views/partners-view.tsx';
import { PlacementsView } from './views/placements-view.tsx';
import { UnmatchedView } from './views/unmatched-view.tsx';

/** The component of every view that exists. */
const VIEW_COMPONENTS: { readonly [Key in BuiltViewKey]: ComponentType<ViewProps<Key>> } = {
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
