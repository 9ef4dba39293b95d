import type { MessageMeaning } from '../../core/commissions/ledger/message-mapping.ts';
import type { ViewProps } from '../console-page.ts';
import { TimeText } from '../frame/cells.tsx';
import { Block, DataTable } from '../frame/data-table.tsx';
import { ActionForm, Select, Submit } from '../frame/forms.tsx';
import { buildConsoleAddress, IMPORT_PATH } from '../reports/addresses.ts';
import { formatMoney, formatNumber } from '../reports/format.ts';
import { MESSAGE_MEANING_NAMES } from '../reports/names.ts';
import type { readImport } from './read.ts';

type ImportModel = Awaited<ReturnType<typeof readImport>>;
type UnreadGroup = ImportModel['unread'][number];
type Example = UnreadGroup['examples'][number];

/** Messages of networks that could not be read: what their fields probably mean, for the operator to confirm. */
export function UnreadList({ model }: ViewProps<ImportModel>) {
  if (model.unread.length === 0) return null;
  return (
    <div id="unread">
      {model.unread.map((group) => (
        <UnreadBlock key={group.message} group={group} model={model} />
      ))}
    </div>
  );
}

function UnreadBlock({ group, model }: ViewProps<ImportModel> & { readonly group: UnreadGroup }) {
  const { message, name, count, lastAt, problem, examples, isIdQuestion } = group;
  const { canChange, now } = model;
  const isReadable = examples.some(({ report }) => report !== null);
  return (
    <Block
      title={
        isIdQuestion
          ? `A message of ${name} waits for an answer`
          : count === 1
            ? `1 message of ${name} could not be read`
            : `${formatNumber(count)} messages of ${name} could not be read`
      }
      note={
        <>
          The newest arrived <TimeText time={lastAt} now={now} />: {problem}. Nothing is lost:{' '}
          {isIdQuestion
            ? 'it is read once you say which order it is.'
            : 'they are read again once it is known what their fields mean.'}
        </>
      }
    >
      {canChange && !isIdQuestion && <MappingForm group={group} />}
      <ExampleTable
        caption={`What the newest messages of ${name} become with these fields`}
        examples={examples}
        now={now}
      />
      {canChange && isIdQuestion && (
        <div className="form-row">
          <ActionForm of="answer-id" fields={{ message, order: 'same' }}>
            <Submit>The same order</Submit>
          </ActionForm>
          <ActionForm of="answer-id" fields={{ message, order: 'other' }}>
            <Submit>Another order</Submit>
          </ActionForm>
        </div>
      )}
      {canChange && !isIdQuestion && <UnreadActions group={group} isReadable={isReadable} />}
    </Block>
  );
}

/** What messages become. */
export function ExampleTable(props: {
  readonly caption: string;
  readonly examples: readonly Example[];
  readonly now: number;
}) {
  return (
    <DataTable
      caption={props.caption}
      columns={[
        { name: 'Becomes', render: (example) => <ExampleName example={example} /> },
        {
          name: 'Commission',
          isNumeric: true,
          onPhone: 'lead',
          render: ({ report }) => report && formatMoney(report.amount, report.currency),
        },
        { name: 'Status', render: ({ report }) => report?.status },
        { name: 'Click', render: ({ report, isMatched }) => report && (isMatched ? 'known' : 'not known') },
        {
          name: 'Arrived',
          isNumeric: true,
          render: ({ arrivedAt }) => <TimeText time={arrivedAt} now={props.now} />,
        },
      ]}
      rows={props.examples}
      getKey={({ message }) => message}
      empty="No field is chosen yet."
    />
  );
}

function ExampleName({ example: { report, problem } }: { readonly example: Example }) {
  return report === null ? <span className="text-danger">{problem}</span> : <code>{report.nativeId}</code>;
}

/** What every commission has comes first. */
const MEANINGS = [
  'id',
  'click',
  'amount',
  'currency',
  'status',
  'time',
  'saleAmount',
  'kind',
] as const satisfies readonly MessageMeaning[];

/** Chooses the field of each meaning; sending it shows what the messages become, and changes nothing. */
function MappingForm({ group: { message, fields, mapping } }: { readonly group: UnreadGroup }) {
  return (
    <form method="get" action={`${IMPORT_PATH}#unread`} className="form-grid">
      <input type="hidden" name="message" value={message} />
      {MEANINGS.map((meaning) => (
        <Select
          key={meaning}
          label={MESSAGE_MEANING_NAMES[meaning]}
          name={`field-${meaning}`}
          defaultValue={mapping.fields[meaning] ?? ''}
          options={fields.map(({ path, text }) => [path, `${path}: ${text.slice(0, 40)}`])}
        >
          <option value="">no field</option>
        </Select>
      ))}
      <Select label="Amounts are written" name="unit" defaultValue={mapping.unit}>
        <option value="decimal">as decimals: 12.50</option>
        <option value="minor">in cents: 1250</option>
      </Select>
      <Submit className="button button-quiet">Show what they become</Submit>
    </form>
  );
}

function UnreadActions({ group, isReadable }: { readonly group: UnreadGroup; readonly isReadable: boolean }) {
  const { message, count, mapping, packed } = group;
  const chosen = Object.entries(mapping.fields).map(([meaning, path]) => [`field-${meaning}`, path]);
  const confirmed: Record<string, string> = { unit: mapping.unit, ...Object.fromEntries(chosen) };
  return (
    <div className="form-row">
      {isReadable && (
        <ActionForm of="map-messages" fields={{ message, ...confirmed }}>
          <Submit>
            {count === 1
              ? 'Confirm, and read the message'
              : `Confirm, and read ${formatNumber(count)} messages`}
          </Submit>
        </ActionForm>
      )}
      <ActionForm of="read-messages" fields={{ message }}>
        <Submit className="button button-quiet">Read again as they are</Submit>
      </ActionForm>
      <ActionForm of="discard-messages" fields={{ message }}>
        <Submit className="text-button">Discard</Submit>
      </ActionForm>
      <a href={buildConsoleAddress('partners', {}, { rest: ['new-network'], extra: { message } })}>
        Make a network of this
      </a>
      <details>
        <summary>Send us a message that was not read</summary>
        <p className="form-note">
          Its fields, with x and 9 in place of letters and digits: copy them into a report to the project.
        </p>
        <pre>{packed}</pre>
      </details>
      <p className="form-note">
        Confirm once: later messages with these fields are read at once. Read again after a change of the
        partner’s file.
      </p>
    </div>
  );
}
