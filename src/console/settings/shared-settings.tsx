import { formatTime } from '../figures/format.ts';
import { describeQuery } from '../figures/names.ts';
import type { SiteNames } from '../figures/site-pages.ts';
import { Block, DataTable } from '../frame/data-table.tsx';
import { SHARE_DAYS } from './change.ts';
import type { readSettings } from './read.ts';

type SettingsModel = NonNullable<Awaited<ReturnType<typeof readSettings>>>;

import { ConfirmedForm, SettingsForm } from './access-settings.tsx';

interface Props {
  readonly model: SettingsModel;
  readonly formToken: string;
}

interface ShareProps extends Props {
  readonly names: SiteNames;
}

const ROLE_NAMES = { owner: 'Owner', viewer: 'Viewer' } as const;

/** Who may use the console. */
export function OperatorSettings({ model: { operators, self, timeZone }, formToken }: Props) {
  const isOwner = self.role === 'owner';
  return (
    <Block title="Operators" note="Owners change things, viewers look at everything." id="operators">
      <DataTable
        caption="Who may sign in"
        rows={operators}
        getKey={({ id }) => id}
        empty="No operator."
        columns={[
          { key: 'name', name: 'Name', render: ({ id, name }) => (id === self.id ? `${name} (you)` : name) },
          { key: 'role', name: 'Role', render: ({ role }) => ROLE_NAMES[role] },
          { key: 'since', name: 'Since', render: ({ createdAt }) => formatTime(createdAt, timeZone) },
          {
            key: 'change',
            name: 'Change',
            onPhone: 'lead',
            render: ({ id, name }) =>
              isOwner && id !== self.id ? (
                <ConfirmedForm
                  action="remove-operator"
                  formToken={formToken}
                  id={id}
                  name="Remove"
                  about={name}
                  confirm={`Remove ${name} and end the sessions`}
                />
              ) : null,
          },
        ]}
      />
      {isOwner && (
        <SettingsForm action="invite" formToken={formToken} className="settings-form">
          <label>
            Name
            <input type="text" name="name" required maxLength={80} autoComplete="off" />
          </label>
          <label>
            Role
            <select name="role" defaultValue="viewer">
              <option value="viewer">Viewer</option>
              <option value="owner">Owner</option>
            </select>
          </label>
          <button type="submit" className="button">
            Add an operator
          </button>
        </SettingsForm>
      )}
    </Block>
  );
}

/** Links that show one view to people without access. */
export function ShareSettings({ model, formToken, names }: ShareProps) {
  return (
    <Block
      title="Share links"
      note="One view with its range and filters, read-only, without single commissions or sessions."
      id="share"
    >
      <ShareLinks model={model} formToken={formToken} names={names} />
      <ShareForm model={model} formToken={formToken} />
      <p className="empty-note">Can be shared: {model.shareable.join(', ')}.</p>
    </Block>
  );
}

function ShareLinks({ model: { shareLinks, timeZone }, formToken, names }: ShareProps) {
  return (
    <DataTable
      caption="Share links that are valid"
      rows={shareLinks}
      getKey={({ id }) => id}
      empty="No share link."
      columns={[
        { key: 'label', name: 'For', render: ({ label, viewName }) => label || viewName },
        {
          key: 'view',
          name: 'View',
          render: ({ viewName, query }) => (
            <>
              {viewName}
              <small>{describeQuery(query, names).join(' · ')}</small>
            </>
          ),
        },
        { key: 'by', name: 'Created by', onPhone: 'hidden', render: ({ createdBy }) => createdBy },
        {
          key: 'until',
          name: 'Valid until',
          render: ({ expiresAt }) => formatTime(expiresAt, timeZone),
        },
        {
          key: 'change',
          name: 'Change',
          onPhone: 'lead',
          render: ({ id, label, viewName }) => (
            <ConfirmedForm
              action="revoke-share"
              formToken={formToken}
              id={id}
              name="Revoke"
              about={label || viewName}
              confirm="Revoke the link"
            />
          ),
        },
      ]}
    />
  );
}

function ShareForm({ model: { shareAddress }, formToken }: Props) {
  return (
    <SettingsForm action="share" formToken={formToken} className="settings-form">
      <label className="settings-wide">
        Address of the view, as the browser shows it
        <input type="text" name="address" required maxLength={2000} defaultValue={shareAddress} />
      </label>
      <label>
        For whom
        <input type="text" name="label" maxLength={80} placeholder="Accountant" />
      </label>
      <label>
        Valid for
        <select name="days" defaultValue="7">
          {SHARE_DAYS.map((days) => (
            <option key={days} value={days}>
              {days === 1 ? '1 day' : `${days} days`}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="button">
        Create a share link
      </button>
    </SettingsForm>
  );
}
