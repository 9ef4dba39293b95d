import { type DigestChoice, WEEK_STARTS, type WeekStart } from '../../core/console/operator.ts';
import type { ViewProps } from '../console-page.ts';
import { Block } from '../frame/data-table.tsx';
import { PasskeySettings, PasswordSettings, SessionSettings, SettingsForm } from './access-settings.tsx';
import type { readSettings } from './read.ts';

type SettingsModel = NonNullable<Awaited<ReturnType<typeof readSettings>>>;

import { OperatorSettings, ShareSettings } from './shared-settings.tsx';

/** Who may use the console and how, and what the environment has set. */
export function SettingsView({ model, frame: { formToken, names } }: ViewProps<SettingsModel>) {
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

const DIGEST_NAMES: Readonly<Record<DigestChoice, string>> = {
  off: 'Never',
  daily: 'Every day',
  weekly: 'Every week',
};
const WEEK_START_NAMES: Readonly<Record<WeekStart, string>> = { monday: 'Monday', sunday: 'Sunday' };

/** How often the digest is sent, and with which day weeks start; for all operators. */
function PreferenceSettings(props: { readonly model: SettingsModel; readonly formToken: string }) {
  const { preferences, digest } = props.model;
  return (
    <Block title="Digest and week" note="For all operators." id="preferences">
      <SettingsForm action="preferences" formToken={props.formToken} className="settings-form">
        <label>
          Digest by email
          <select name="digest" defaultValue={preferences.digest ?? ''}>
            <option value="">Default (DIGEST): {DIGEST_NAMES[digest.byEnvironment].toLowerCase()}</option>
            {Object.entries(DIGEST_NAMES).map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          First day of the week
          <select name="week-start" defaultValue={preferences.weekStart}>
            {WEEK_STARTS.map((key) => (
              <option key={key} value={key}>
                {WEEK_START_NAMES[key]}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="button">
          Save
        </button>
      </SettingsForm>
      <p className="empty-note">{describeDigest(digest, preferences.weekStart)}</p>
    </Block>
  );
}

function describeDigest({ hour, hasMail }: SettingsModel['digest'], weekStart: WeekStart): string {
  const time = `${String(hour).padStart(2, '0')}:00`;
  return hasMail
    ? `Sent at ${time}; a weekly one on ${WEEK_START_NAMES[weekStart]}s. Charts by week begin on the same day.`
    : 'No digest can be sent yet: set SMTP_URL, MAIL_FROM and MAIL_TO. Charts by week begin on the day chosen here.';
}
