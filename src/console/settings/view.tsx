import { Block } from '../frame/block.tsx';
import type { ViewProps } from '../view-props.ts';
import { PasskeySettings, PasswordSettings, SessionSettings } from './access-settings.tsx';
import { PreferenceSettings } from './preference-settings.tsx';
import type { SettingsModel } from './settings-model.ts';
import { OperatorSettings, ShareSettings } from './shared-settings.tsx';

/** Who may use the console and how, and what the environment has set. */
export function SettingsView({ model, frame: { formToken, names } }: ViewProps<'settings'>) {
  return (
    <>
      <p className="settings-self">
        Signed in as <b>{model.self.name}</b>, {model.self.role}.
      </p>
      <Issued issued={model.issued} />
      <OperatorSettings model={model} formToken={formToken} />
      <SessionSettings model={model} formToken={formToken} />
      <PasswordSettings model={model} formToken={formToken} />
      <PasskeySettings model={model} formToken={formToken} />
      {model.self.role === 'owner' && (
        <>
          <ShareSettings model={model} formToken={formToken} names={names} />
          <PreferenceSettings model={model} formToken={formToken} />
        </>
      )}
      <Block title="Set by the environment" note="Changed in .env, read at start.">
        <dl className="settings-facts">
          {model.facts.map(({ name, value, setting }) => (
            <div key={setting}>
              <dt>{name}</dt>
              <dd>
                {value} <small>{setting}</small>
              </dd>
            </div>
          ))}
        </dl>
      </Block>
    </>
  );
}

/** An address that was created just now. */
function Issued({ issued }: Pick<SettingsModel, 'issued'>) {
  if (issued === null) return null;
  return (
    <section className="settings-issued" aria-labelledby="issued">
      <h2 id="issued">{issued.title}</h2>
      <p>
        <input type="text" readOnly value={issued.url} aria-labelledby="issued" />
      </p>
      <p className="empty-note">{issued.note}</p>
    </section>
  );
}
