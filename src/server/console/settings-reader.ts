import type { SettingsModel } from '../../core/console/settings-model.ts';
import type { ViewReader, ViewRequest } from './view-reader.ts';

/** Reads the settings of the console. */
export class SettingsReader implements ViewReader<SettingsModel> {
  async read({ viewer }: ViewRequest): Promise<SettingsModel | null> {
    return viewer.kind === 'operator' ? { self: { name: viewer.name, role: viewer.role } } : null;
  }
}
