import { type DigestChoice, WEEK_STARTS, type WeekStart } from '../../core/console/operator.ts';
import { Block } from '../frame/block.tsx';
import { SettingsForm } from './settings-form.tsx';
import type { DigestDelivery, SettingsModel } from './settings-model.ts';

const DIGEST_NAMES: Readonly<Record<DigestChoice, string>> = {
  off: 'Never',
  daily: 'Every day',
  weekly: 'Every week',
};
const WEEK_START_NAMES: Readonly<Record<WeekStart, string>> = { monday: 'Monday', sunday: 'Sunday' };

/** How often the digest is sent, and with which day weeks start; for all operators. */
export function PreferenceSettings(props: { readonly model: SettingsModel; readonly formToken: string }) {
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

function describeDigest({ hour, hasMail }: DigestDelivery, weekStart: WeekStart): string {
  const time = `${String(hour).padStart(2, '0')}:00`;
  return hasMail
    ? `Sent at ${time}; a weekly one on ${WEEK_START_NAMES[weekStart]}s. Charts by week begin on the same day.`
    : 'No digest can be sent yet: set SMTP_URL, MAIL_FROM and MAIL_TO. Charts by week begin on the day chosen here.';
}
