import type { ReactNode } from 'react';
import { isYoung } from '../../core/commissions/earned.ts';
import { sendsMessages } from '../../core/commissions/networks/network.schema.ts';
import { type Partner, RULE_SUBJECTS } from '../../core/outbound/partner.ts';
import { capitalize } from '../../core/text/words.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { buildFileAddress } from '../content/file-address.ts';
import { MoneyAmount, TimeText } from '../frame/cells.tsx';
import { Block, FactRow, TableBlock, type TableColumn } from '../frame/data-table.tsx';
import { formatAmounts, listAmounts, YoungNote } from '../frame/earned-table.tsx';
import { ActionForm, Submit } from '../frame/forms.tsx';
import { OperatorLink, PageNameCell, TitledPage } from '../frame/links.tsx';
import { DetailHead } from '../frame/list.tsx';
import { PostbackList } from '../import/connections.tsx';
import { buildNetworkAddress } from '../import/networks.ts';
import { buildConsoleAddress, IMPORT_PATH } from '../reports/addresses.ts';
import { formatCount, formatDuration, formatMoney, formatNumber } from '../reports/format.ts';
import { describeRange } from '../reports/names.ts';
import { describePayout } from '../reports/payments.ts';
import type { readPartnerLabels } from './labels.ts';
import { OverduePayments } from './payments-view.tsx';
import type { readPartnersPage } from './read.ts';

type Props = ViewProps<NonNullable<Awaited<ReturnType<typeof readPartnersPage>>>> & {
  readonly partner: Partner;
};

/** One partner: what it brought, how it works in five sentences, and what its network decides. */
export function PartnerReport({ model, partner }: Props) {
  const { query } = useFrame();
  const { rows, connection, currency, overdue, labels, arrived } = model;
  const [row] = rows;
  const at = buildConsoleAddress('partners', {}, { extra: { partner: partner.key } });
  const address = connection?.postbacks[0]?.address ?? null;
  return (
    <>
      <DetailHead
        back={['Partners', buildConsoleAddress('partners', { ...query, filters: [] })]}
        lead={<Lead model={model} partner={partner} />}
      >
        {row === undefined || row.earned === 0
          ? `${partner.name} has brought no money yet.`
          : `${partner.name} brought ${formatAmounts(listAmounts(row, currency))} ${describeRange(query)}${isYoung(arrived) ? ' so far' : ''}.`}
      </DetailHead>
      <YoungNote arrived={arrived} isYoung={isYoung(arrived)} />
      {overdue !== null && <OverduePayments overdue={overdue} model={model} />}
      <Sentences model={model} partner={partner} />
      {connection !== null && <Decided connection={connection} partner={partner} />}
      {labels !== null && <PartnerLabelList model={labels} />}
      {connection !== null && connection.postbacks.length > 0 && (
        <details className="attention" id="address" open={address !== null || !connection.hasPostbacks}>
          <summary>The address for its messages</summary>
          <PostbackList model={connection} at={at} />
        </details>
      )}
      <ProgramRules partner={partner} />
    </>
  );
}

function Lead({ model: { rows, record, now }, partner }: Props) {
  const [row] = rows;
  if (row === undefined) return null;
  const { clicks, customers, click, currency, lastMessageAt } = row;
  const facts = [
    ...(clicks === null ? [] : [formatCount(clicks, 'click')]),
    formatCount(customers, 'customer'),
    ...(click === null ? [] : [`${formatMoney(click, currency)} a click`]),
  ];
  const takes = [
    ...(record?.convert == null ? [] : [`${formatDuration(record.convert)} to a first commission`]),
    ...(record?.approve == null ? [] : [`${formatDuration(record.approve)} to its approval`]),
  ];
  return (
    <>
      {facts.join(', ')}.{takes.length > 0 && ` It usually takes ${takes.join(' and ')}.`}
      {record !== null &&
        record.all > 0 &&
        ` Of ${formatCount(record.all, 'commission')} it reversed ${formatNumber(record.reversed)}.`}{' '}
      {lastMessageAt === null ? (
        `Nothing has come from ${partner.name} yet.`
      ) : (
        <>
          Last message: <TimeText time={lastMessageAt} now={now} />.
        </>
      )}
    </>
  );
}

/** A sentence about a partner, with the place where it is changed. */
function Sentence(props: { readonly name: string; readonly href: string; readonly children: ReactNode }) {
  const { name, href, children } = props;
  return (
    <FactRow name={name}>
      <span className="flex flex-wrap justify-between gap-x-4">
        <span>{children}</span>
        <OperatorLink href={href}>
          Change<span className="hidden-text"> {name}</span>
        </OperatorLink>
      </span>
    </FactRow>
  );
}

function Sentences({ model: { connection }, partner }: Props) {
  const { key, site, affiliate, commission, terms, rules } = partner;
  const { payout, minimum, method } = terms.payments;
  const place = (at: string) => buildFileAddress(`partners/${key}.yaml`, { at });
  const of = (allowed: 'no' | 'ask') => RULE_SUBJECTS.filter((one) => rules[one.key]?.allowed === allowed);
  const [no, ask] = [of('no'), of('ask')];
  const file = connection?.file;
  const isSending = connection !== null && connection.postbacks.length > 0;
  return (
    <Block title={`How you work with ${partner.name}`}>
      <dl className="facts">
        <Sentence name="Links" href={place('affiliate')}>
          lead to <b>{new URL(site).hostname}</b>
          {affiliate == null ? ', without a code of yours.' : ' with your code '}
          {affiliate != null && <b>{affiliate.value}</b>}
          {affiliate != null && '.'}
        </Sentence>
        <Sentence name="Reports" href={place('network')}>
          come through <b>{file?.title ?? terms.network}</b>
          {isSending
            ? ', which sends each commission here.'
            : file?.interface === undefined
              ? ': import its report.'
              : ', whose interface is read.'}
        </Sentence>
        <Sentence name="Pays" href={place('commission')}>
          {commission === undefined ? (
            'what its file does not say yet.'
          ) : (
            <>
              <b>{commission.percent}%</b> of every payment,{' '}
              {commission.months === undefined
                ? 'as long as the customer stays'
                : `for ${formatCount(commission.months, 'month')}`}
            </>
          )}
          {commission !== undefined && (terms.currency === null ? '.' : `, in ${terms.currency}.`)}
        </Sentence>
        <Sentence name="Pays on" href={place('payments')}>
          {payout === null
            ? 'a day that its file does not say yet'
            : describePayout(payout).replace(/^on /, '')}
          {minimum !== null && `, from ${formatMoney(minimum.amount, minimum.currency)}`}
          {method !== null && `, by ${method}`}.
        </Sentence>
        <Sentence name="Forbids" href={place('rules')}>
          {no.length === 0 ? 'nothing that is known' : <b>{LIST.format(no.map(({ title }) => title))}</b>}
          {ask.length > 0 &&
            `; ask before ${ask.length === 1 ? ask[0]?.title : `${formatNumber(ask.length)} other things`}`}
          .
        </Sentence>
      </dl>
      <div className="actions">
        <OperatorLink href={place('destinations')} className="button">
          Test a link
        </OperatorLink>
        {isSending && connection.hasPostbacks && connection.canChange && (
          <ActionForm
            of="test-postback"
            action={IMPORT_PATH}
            fields={{
              partner: key,
              from: buildConsoleAddress('partners', {}, { extra: { partner: key } }),
            }}
          >
            <Submit className="button button-quiet">Send a test commission</Submit>
          </ActionForm>
        )}
      </div>
    </Block>
  );
}

const LIST = new Intl.ListFormat('en-US');

/** What the preset of the network sets: nothing of it is filled in. */
function Decided(props: {
  readonly connection: NonNullable<Props['model']['connection']>;
  readonly partner: Partner;
}) {
  const { connection, partner } = props;
  const { file, network } = connection;
  const { link } = file;
  const ways = [
    ...(file.interface === undefined ? [] : ['let us read its interface']),
    ...(file.report === undefined && sendsMessages(file) ? [] : ['import its report']),
  ];
  const [source] = file.sources;
  return (
    <Block
      title={`Decided by ${file.title}`}
      note="Nothing to fill in."
      links={<a href={buildNetworkAddress(network)}>Its secrets and messages</a>}
    >
      <dl className="facts">
        {partner.affiliate != null && (
          <FactRow name="Your code is in">
            <code>{partner.affiliate.parameter}</code>
          </FactRow>
        )}
        <FactRow name="The click is in">
          {link?.clickIds === 'forbidden' ? (
            link.label === undefined ? (
              `nothing: ${file.title} takes no number of the click.`
            ) : (
              `nothing: ${file.title} takes no number of the click. It reports by tracking id.`
            )
          ) : link?.parameter === undefined ? (
            'a parameter that is not known'
          ) : (
            <>
              <code>{link.parameter}</code>
              {link.place === 'path' && ', in the path of the link, where this site writes none'}
              {link.maxLength !== undefined && `, up to ${formatCount(link.maxLength, 'character')}`}
            </>
          )}
        </FactRow>
        {ways.length > 0 && <FactRow name="You can also">{LIST.format(ways)}</FactRow>}
        {file.payments !== undefined && <FactRow name="It pays">{file.payments.text}</FactRow>}
        {file.note !== undefined && (
          <FactRow name="Good to know">
            <details>
              <summary className="text-button">What its documents say</summary>
              {file.note}
            </details>
          </FactRow>
        )}
      </dl>
      <p className="form-note pb-3">
        {source !== undefined && `From documents of ${source.day}. `}
        <OperatorLink href={buildFileAddress(`partners/${partner.key}.yaml`)}>All fields</OperatorLink>
      </p>
    </Block>
  );
}

const ALLOWED = { yes: 'Allowed', no: 'Not allowed', ask: 'Ask first' } as const;

/** What the program of a partner demands of the site, each with its source and the day of the copy that was read. */
export function ProgramRules({ partner }: { readonly partner: Partner }) {
  const { rules } = partner;
  const others = rules.conditions.map((condition) => ({ title: 'Condition', condition }));
  const stated = RULE_SUBJECTS.map(({ key, title }) => {
    const rule = rules[key];
    return {
      title: capitalize(title),
      condition: rule && { ...rule, text: `${ALLOWED[rule.allowed]}. ${rule.text}` },
    };
  });
  return (
    <details className="attention">
      <summary>What the program demands, with its sources</summary>
      <dl className="facts">
        {[...stated, ...others].map(({ title, condition }) => (
          <FactRow key={`${title} ${condition?.text}`} name={title}>
            {condition === null ? (
              <span className="text-muted">not known, ask the program</span>
            ) : (
              <>
                {condition.text}{' '}
                <small>
                  <a href={condition.source} rel="noopener noreferrer">
                    {new URL(condition.source).hostname}
                  </a>
                  , {condition.checked}
                </small>
              </>
            )}
          </FactRow>
        ))}
      </dl>
    </details>
  );
}

type LabelsModel = Awaited<ReturnType<typeof readPartnerLabels>>;

/** A page by its title; several are unfolded by how many they are. */
function PageList({ pages, name = '' }: { readonly pages: readonly string[]; readonly name?: string }) {
  const { names } = useFrame();
  const [first] = pages;
  if (first === undefined) return <span className="text-muted">no page</span>;
  if (pages.length === 1) return <TitledPage page={first} />;
  return (
    <details>
      <summary>
        {name || 'a group'}, {formatNumber(pages.length)} pages
      </summary>
      <ul>
        {pages.map((page) => (
          <li key={page}>{names.pages.get(page) ?? page}</li>
        ))}
      </ul>
    </details>
  );
}

/** What the ids of a partner stand for and have earned, the moves that are proposed, and the products that were sold. */
export function PartnerLabelList({ model }: { readonly model: LabelsModel }) {
  const { rows, currency } = model;
  return (
    <>
      <TableBlock
        title="Labels"
        id="labels"
        note="Ids of the network that links of pages carry, and what each brought in the period."
        columns={[
          { name: 'Id', render: ({ id }) => <code>{id}</code> },
          {
            name: 'Given to',
            render: ({ use, next, isOwn }) => (
              <>
                {isOwn && use === null && (
                  <span className="text-muted">pages without an id of their own</span>
                )}
                {(!isOwn || use !== null) && <PageList pages={use?.pages ?? []} {...use} />}
                {use !== null && use.placement !== '' && <small>links at {use.placement}</small>}
                {next !== null && (
                  <small>
                    from {next.since}: {next.name || next.pages.join(', ') || 'no page'}
                  </small>
                )}
              </>
            ),
          },
          { name: 'Since', render: ({ use }) => use?.since ?? '–' },
          { name: 'Items', isNumeric: true, render: (row) => formatNumber(row.items) },
          {
            name: 'Earned and pending',
            isNumeric: true,
            onPhone: 'lead',
            render: ({ earned }) => <MoneyAmount amount={earned} currency={currency} />,
          },
        ]}
        rows={rows}
        getKey={({ id }) => id}
        empty="The partner has no ids yet: add them in its form."
      />
      <ProposedMoves model={model} />
      {model.items.length > 0 && <SoldProducts model={model} />}
    </>
  );
}

const MAX_PRODUCTS = 100;

function SoldProducts({ model: { items, currency } }: { readonly model: LabelsModel }) {
  const more =
    items.length > MAX_PRODUCTS ? `; the first ${MAX_PRODUCTS} of ${formatNumber(items.length)}` : '';
  return (
    <TableBlock
      title="Products sold"
      note={`As reports name them, by the page or the group of their id${more}.`}
      columns={[
        {
          name: 'Page or group',
          render: ({ page, group }) => (page === null ? group : <PageNameCell page={page} />),
        },
        {
          name: 'Product',
          onPhone: 'lead-unnamed',
          render: ({ item, name }) => (
            <>
              {name || item}
              {name !== '' && <small>{item}</small>}
            </>
          ),
        },
        { name: 'Items', isNumeric: true, render: (row) => formatNumber(row.items) },
        {
          name: 'Earned and pending',
          isNumeric: true,
          render: ({ amount }) => <MoneyAmount amount={amount} currency={currency} />,
        },
      ]}
      rows={items.slice(0, MAX_PRODUCTS)}
      getKey={({ page, group, item, name }) => `${page} ${group} ${item} ${name}`}
    />
  );
}

function ProposedMoves({ model: { moves, since, partner, refusal } }: { readonly model: LabelsModel }) {
  const columns: readonly TableColumn<LabelsModel['moves'][number]>[] = [
    { name: 'Id', render: ({ id }) => <code>{id}</code> },
    { name: 'From', render: ({ from }) => <PageList pages={from} /> },
    { name: 'To', render: ({ to, name }) => <PageList pages={to} name={name} /> },
    {
      name: 'Clicks in 90 days',
      isNumeric: true,
      render: ({ before, after }) => `${formatNumber(before)} → ${formatNumber(after)}`,
    },
    {
      name: 'Confirm',
      onPhone: 'lead-unnamed',
      render: ({ id, hash }) =>
        refusal === null && (
          <ActionForm of="move-label" fields={{ partner, move: hash }}>
            <Submit>Move {id}</Submit>
          </ActionForm>
        ),
    },
  ];
  if (moves.length === 0)
    return (
      <Block title="Proposed moves">
        <p className="empty-note">
          None. An id moves to a page with twice the clicks of its own, at most once a month.
        </p>
      </Block>
    );
  return (
    <TableBlock
      title="Proposed moves"
      note={`Links carry the id from ${since} on, and it stays for a month.`}
      columns={columns}
      rows={moves}
      getKey={({ hash }) => hash}
    />
  );
}
