import type { ConsoleViewKey } from '../core/console/console-view.ts';
import type { ConsoleFrame, ConsoleViewModels } from './console-page.ts';

/** What the component of a view gets. */
export interface ViewProps<Key extends ConsoleViewKey> {
  readonly model: ConsoleViewModels[Key];
  readonly frame: ConsoleFrame;
}
