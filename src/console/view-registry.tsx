import type { ComponentType } from 'react';
import type { ConsoleViewKey } from '../core/console/console-view.ts';
import { AssessmentResultsView } from './assessment/view.tsx';
import { CampaignsView } from './campaigns/view.tsx';
import { CommissionsView } from './commissions/view.tsx';
import type { ConsoleFrame, ConsoleViewPage } from './console-page.ts';
import { ContentView } from './content/view.tsx';
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
import type { ViewProps } from './view-props.ts';

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
