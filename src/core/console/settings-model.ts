import type { OperatorRole } from './console-viewer.ts';

/** What the settings show. */
export interface SettingsModel {
  readonly self: { readonly name: string; readonly role: OperatorRole };
}
