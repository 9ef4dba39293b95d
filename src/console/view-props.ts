import type { BuiltViewKey, ConsoleFrame, ConsoleViewModels } from '../core/console/console-page.ts';

/** What the component of a view gets. */
export interface ViewProps<Key extends BuiltViewKey> {
  readonly model: ConsoleViewModels[Key];
  readonly frame: ConsoleFrame;
}
