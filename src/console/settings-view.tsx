import type { SettingsModel } from '../core/console/settings-model.ts';

/** Who is signed in, and how. */
export function SettingsView({ model: { self } }: { readonly model: SettingsModel }) {
  return (
    <section>
      <h2>Signed in</h2>
      <p>
        {self.name}, {self.role}
      </p>
    </section>
  );
}
