import type { ReactNode } from 'react';
import { BESIDE_FILE } from '../../content-files/read-content.ts';
import {
  CAPABILITIES,
  CAPABILITY_NAMES,
  type Capability,
  describeCapabilities,
} from '../../core/console/capabilities.ts';
import { DIGEST_HOUR, type DigestChoice, type WeekStart } from '../../core/console/operator.ts';
import { nameCommand } from '../../core/text/name-command.ts';
import { SHARE_DAYS } from '../actions.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { buildFileAddress } from '../content/file-address.ts';
import { Block, DataTable, FactRow } from '../frame/data-table.tsx';
import { ActionForm, Checkbox, Select, Submit, TextField } from '../frame/forms.tsx';
import { Statement } from '../frame/list.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatCount, formatNumber, formatTime } from '../reports/format.ts';
import { describeQuery } from '../reports/names.ts';
import { StartView } from '../start/view.tsx';
import { ConfirmedForm, PasskeySettings, PasswordSettings, SessionSettings } from './access-settings.tsx';
import { CurrencySettings } from './rate-settings.tsx';
import type { readSettings, readSettingsPage } from './read.ts';
import { AddressSettings, MailSettings, NetworkSettings, OtherSettings } from './typed-view.tsx';

type SettingsModel = NonNullable<Awaited<ReturnType<typeof readSettings>>>;
type Props = ViewProps<SettingsModel>;

/** The pages of the view. */
export function SettingsPage({
  model,
}: ViewProps<NonNullable<Awaited<ReturnType<typeof readSettingsPage>>>>) {
  return model.page === 'start' ? <StartView model={model} /> : <SettingsView model={model} />;
}

/** A group of settings: one line that says what is set up, and its forms in a fold. */
function Group(props: { readonly name: string; readonly state: ReactNode; readonly children: ReactNode }) {
  const { name, state, children } = props;
  return (
    <details className="setting" name="settings">
      <summary>
        <b>{name}</b> <span>{state}</span> <span className="text-button">Change</span>
      </summary>
      {children}
    </details>
  );
}

/** How the site is set up and who may use the console, one line for each group. */
function SettingsView({ model }: Props) {
  const { self, typed, issued, isConfirmed, timeZone, hasMail, rates, data, operators, preferences } = model;
  const given = typed && { typed, isConfirmed, timeZone };
  const address = typed?.settings['SITE_URL']?.value ?? '';
  const missing =
    typed === null ? [] : [...(address === '' ? ['address'] : []), ...(hasMail ? [] : ['mail'])];
  const [currency] = rates === null ? [''] : [rates.reportingCurrency ?? ''];
  return (
    <>
      <Statement
        lead={
          <>
            Signed in as <b>{self.name}</b>. You may: {describeCapabilities(self.capabilities)}.
          </>
        }
        actions={
          self.manages && (
            <>
              <a href={buildFileAddress(BESIDE_FILE)}>Sites beside this one</a>{' '}
              <a href={buildConsoleAddress('settings', {}, { rest: ['move-in'] })}>Move a site in</a>
            </>
          )
        }
      >
        {missing.length === 0
          ? 'Everything is set up.'
          : `${missing.length} of 7 ${missing.length === 1 ? 'is' : 'are'} not set up: ${missing.join(', ')}.`}
      </Statement>
      <Issued issued={issued} />
      <div>
        {given && (
          <Group name="Address" state={address === '' ? 'Not set up. Readers find no site yet.' : address}>
            <AddressSettings {...given} />
          </Group>
        )}
        {given && (
          <Group
            name="Mail"
            state={hasMail ? `Sent by ${typed.mail?.host ?? 'the server'}` : 'Not set up. Nobody is told.'}
          >
            <MailSettings {...given} />
          </Group>
        )}
        {rates !== null && (
          <Group
            name="Money"
            state={currency === '' ? 'No currency of totals is chosen.' : `Totals in ${currency}`}
          >
            <CurrencySettings rates={rates} />
          </Group>
        )}
        {given && self.seesMoney && (
          <Group name="Networks’ secrets" state="Keys of the networks that are read">
            <NetworkSettings />
          </Group>
        )}
        {self.manages && (
          <Group
            name="Notices"
            state={
              preferences.digest === 'off'
                ? 'No digest'
                : `Digest: ${DIGEST_NAMES[preferences.digest].toLowerCase()}`
            }
          >
            <PreferenceSettings model={model} />
            {given && <OtherSettings {...given} />}
          </Group>
        )}
        <Group
          name="Copies"
          state={
            data.lastBackup === null
              ? 'No copy yet.'
              : `The last one: ${formatTime(data.lastBackup, timeZone)}`
          }
        >
          <DataFacts model={model} />
          <EnvironmentFacts model={model} />
        </Group>
        <Group name="People" state={operators.map(({ name }) => name).join(', ')}>
          <OperatorSettings model={model} />
          <SessionSettings model={model} />
          <PasswordSettings model={model} />
          <PasskeySettings model={model} />
          {self.manages && <ShareSettings model={model} />}
        </Group>
      </div>
    </>
  );
}

/** What the environment has set. */
function EnvironmentFacts({ model }: Props) {
  return (
    <Block title="Set by the environment" note="Changed in .env, read at start.">
      <dl className="settings-facts">
        {model.facts.map(({ name, value, setting }) => (
          <FactRow key={setting} name={name}>
            {value} <small>{setting}</small>
          </FactRow>
        ))}
      </dl>
    </Block>
  );
}

/** Where the data are, and the command that copies them. */
function DataFacts({ model: { data, timeZone } }: Props) {
  return (
    <Block
      title="Data"
      note="Commissions and their clicks exist only in the data folder and its backups."
      id="data"
    >
      <dl className="settings-facts">
        <FactRow name="Last backup">
          {data.lastBackup === null ? 'none yet' : formatTime(data.lastBackup, timeZone)}{' '}
          <small>{nameCommand('backup FOLDER')}</small>
        </FactRow>
        {data.freeMb !== null && <FactRow name="Free on the disk">{formatNumber(data.freeMb)} MB</FactRow>}
      </dl>
    </Block>
  );
}

/** An address that was created just now. */
function Issued({ issued }: { readonly issued: SettingsModel['issued'] }) {
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
function PreferenceSettings({ model }: Props) {
  const { preferences, hasMail } = model;
  return (
    <Block title="Digest and week" note="For all operators." id="preferences">
      <ActionForm of="preferences" className="settings-form">
        <Select
          label="Digest by email"
          name="digest"
          defaultValue={preferences.digest}
          options={Object.entries(DIGEST_NAMES)}
        />
        <Select
          label="First day of the week"
          name="week-start"
          defaultValue={preferences.weekStart}
          options={Object.entries(WEEK_START_NAMES)}
        />
        <Submit>Save</Submit>
      </ActionForm>
      <p className="empty-note">{describeDigest(hasMail, preferences.weekStart)}</p>
    </Block>
  );
}

function describeDigest(hasMail: boolean, weekStart: WeekStart): string {
  const time = `${String(DIGEST_HOUR).padStart(2, '0')}:00`;
  return hasMail
    ? `Sent at ${time}; a weekly one on ${WEEK_START_NAMES[weekStart]}s. Charts by week begin on the same day.`
    : 'No digest can be sent yet: set up mail above. Charts by week begin on the day chosen here.';
}

/** What a capability allows, for those who give it. */
const CAPABILITY_HELP: Readonly<Record<Capability, string>> = {
  money: 'amounts, commissions and the views that are about them',
  content: 'drafts of pages and articles, and images that no page shows yet',
  publish: 'change what visitors see: published pieces, partners, site and brand',
  manage: 'operators, settings, messages, imports; with money, commissions and share links',
};

/** Who may use the console. */
function OperatorSettings({ model: { operators, setups, self, timeZone } }: Props) {
  return (
    <Block
      title="Operators"
      note="Everyone who may sign in can look at content, messages and events."
      id="operators"
    >
      <div className="table-box">
        <DataTable
          caption="Who may sign in"
          rows={operators}
          getKey={({ id }) => id}
          empty="No operator."
          columns={[
            { name: 'Name', render: ({ id, name }) => (id === self.id ? `${name} (you)` : name) },
            { name: 'May', render: ({ capabilities }) => describeCapabilities(capabilities) },
            { name: 'Since', render: ({ createdAt }) => formatTime(createdAt, timeZone) },
            {
              name: 'Change',
              render: (operator) =>
                self.manages &&
                operator.id !== self.id && <OperatorChanges operator={operator} own={self.capabilities} />,
            },
          ]}
        />
      </div>
      {setups.length > 0 && <OpenSetups setups={setups} timeZone={timeZone} />}
      {self.manages && (
        <ActionForm of="invite" className="settings-form">
          <TextField label="Name" name="name" required maxLength={80} />
          <CapabilityChoices own={self.capabilities} chosen={['content']} />
          <Submit>Add an operator</Submit>
        </ActionForm>
      )}
    </Block>
  );
}

/** What an operator who manages may change about another one. */
function OperatorChanges(props: {
  readonly operator: SettingsModel['operators'][number];
  readonly own: readonly Capability[];
}) {
  const { id, name, capabilities } = props.operator;
  return (
    <>
      <details className="confirm">
        <summary className="text-button">
          Allow<span className="hidden-text"> {name} other things</span> …
        </summary>
        <ActionForm of="change-capabilities" fields={{ id }}>
          <CapabilityChoices own={props.own} chosen={capabilities} />
          <Submit>
            Store<span className="hidden-text"> what {name} may do</span>
          </Submit>
        </ActionForm>
      </details>
      <ConfirmedForm
        of="remove-operator"
        id={id}
        name="Remove"
        about={name}
        confirm={`Remove ${name} and end the sessions`}
      />
    </>
  );
}

/** A box for each capability; what the operator who manages does not have can be neither given nor taken. */
function CapabilityChoices(props: {
  readonly own: readonly Capability[];
  readonly chosen: readonly Capability[];
}) {
  const { own, chosen } = props;
  return (
    <fieldset className="settings-choices">
      <legend>May</legend>
      {CAPABILITIES.map((one) => (
        <Checkbox
          key={one}
          label={
            <span>
              {CAPABILITY_NAMES[one]} <small>{CAPABILITY_HELP[one]}</small>
            </span>
          }
          name={`can-${one}`}
          defaultChecked={chosen.includes(one)}
          disabled={!own.includes(one)}
        />
      ))}
    </fieldset>
  );
}

/** One-time addresses that were created and not used yet. */
function OpenSetups({
  setups,
  timeZone,
}: {
  readonly setups: SettingsModel['setups'];
  readonly timeZone: SettingsModel['timeZone'];
}) {
  return (
    <DataTable
      caption="One-time addresses that can be used now"
      rows={setups}
      getKey={({ purpose }) => purpose}
      columns={[
        { name: 'Open address for', render: ({ name }) => name },
        {
          name: 'Purpose',
          render: ({ capabilities, isReset }) =>
            isReset ? 'Set a password' : `Join; may: ${describeCapabilities(capabilities)}`,
        },
        { name: 'Created by', onPhone: 'hidden', render: ({ createdBy }) => createdBy || 'the command line' },
        { name: 'Valid until', render: ({ expiresAt }) => formatTime(expiresAt, timeZone) },
        {
          name: 'Change',
          onPhone: 'lead',
          render: ({ purpose, name }) => (
            <ConfirmedForm
              of="withdraw-setup"
              id={purpose}
              name="Withdraw"
              about={`the address for ${name}`}
              confirm="Withdraw the address"
            />
          ),
        },
      ]}
    />
  );
}

/** Links that show one view to people without access. */
function ShareSettings({ model }: Props) {
  return (
    <Block
      title="Share links"
      note="One view with its range and filters, read-only, without single commissions or sessions."
      id="share"
    >
      <ShareLinks model={model} />
      <ShareForm model={model} />
      <p className="empty-note">Can be shared: {model.shareable.join(', ')}.</p>
    </Block>
  );
}

function ShareLinks({ model: { shareLinks, timeZone } }: Props) {
  const { names } = useFrame();
  return (
    <DataTable
      caption="Share links that are valid"
      rows={shareLinks}
      getKey={({ id }) => id}
      empty="No share link."
      columns={[
        { name: 'For', render: ({ label, viewName }) => label || viewName },
        {
          name: 'View',
          render: ({ viewName, query }) => (
            <>
              {viewName}
              <small>{describeQuery(query, names).join(' · ')}</small>
            </>
          ),
        },
        { name: 'Created by', onPhone: 'hidden', render: ({ createdBy }) => createdBy },
        { name: 'Valid until', render: ({ expiresAt }) => formatTime(expiresAt, timeZone) },
        {
          name: 'Change',
          onPhone: 'lead',
          render: ({ id, label, viewName }) => (
            <ConfirmedForm
              of="revoke-share"
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

function ShareForm({ model: { shareAddress } }: Props) {
  return (
    <ActionForm of="share" className="settings-form">
      <TextField
        label="Address of the view, as the browser shows it"
        className="flex-[1_1_22rem]"
        name="address"
        required
        maxLength={2000}
        defaultValue={shareAddress}
      />
      <TextField label="For whom" name="label" maxLength={80} placeholder="Accountant" />
      <Select
        label="Valid for"
        name="days"
        defaultValue="7"
        options={SHARE_DAYS.map((days) => [String(days), formatCount(days, 'day')] as const)}
      />
      <Submit>Create a share link</Submit>
    </ActionForm>
  );
}
