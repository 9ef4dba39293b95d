import { useFrame, type ViewProps } from '../console-page.ts';
import { TimeText } from '../frame/cells.tsx';
import { Block, FactRow, showColumns } from '../frame/data-table.tsx';
import { formatAmounts } from '../frame/earned-table.tsx';
import { AddressCsvLink } from '../frame/links.tsx';
import { ListTable, Statement } from '../frame/list.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatCount, formatMoney, formatNumber, formatPeriod } from '../reports/format.ts';
import { ACTIVITY_COLUMNS, type readActivity } from './read.ts';
import type { readWeek } from './week.ts';

type WeekModel = NonNullable<Awaited<ReturnType<typeof readWeek>>>;

const compare = (isUsual: boolean, one: number, other: number) =>
  isUsual ? 'as usual' : one > other ? 'more than usual' : 'fewer than usual';

/** The figures of a week by name, as they stand on the screen and in the mail. */
function listFigures(model: WeekModel, names: ReadonlyMap<string, string>) {
  const { now, former, isClicksUsual, isViewsUsual, newSources, money } = model;
  const both = (one: number, other: number) => `${formatNumber(one)} (${formatNumber(other)} before)`;
  const spent = money?.spent.filter(({ amount }) => amount !== 0) ?? [];
  return [
    ['Views', `${both(now.views, former.views)}: ${compare(isViewsUsual, now.views, former.views)}`, ''],
    [
      'Clicks',
      `${both(now.clicks, former.clicks)}: ${compare(isClicksUsual, now.clicks, former.clicks)}`,
      '',
    ],
    ...newSources.map(([name, visits]) => [
      'New source',
      `${name}, ${formatCount(visits, 'visit')}`,
      buildConsoleAddress('sources', { filters: [{ dimension: 'source', value: name, isNot: false }] }),
    ]),
    ...(money === null
      ? []
      : [
          ['Reported', formatCount(money.reported, 'commission'), buildConsoleAddress('commissions')],
          ...money.received.map(({ source: { partner, amount, currency, arrival } }) => [
            'Received',
            `${formatMoney(amount, currency)} from ${names.get(partner) ?? partner}${arrival === null ? ', as it reports' : ''}`,
            buildConsoleAddress('money'),
          ]),
          ...(spent.length === 0 ? [] : [['Spent', formatAmounts(spent), buildConsoleAddress('campaigns')]]),
        ]),
  ] as const;
}

/** What changed in a week: readers and money, and what operators did. */
export function WeekView({ model }: ViewProps<WeekModel>) {
  const { from, to, now, former, isClicksUsual, earlier, later, changes } = model;
  const { names, siteName } = useFrame();
  const build = (day: string) => `${buildConsoleAddress('week')}?to=${day}`;
  const { money } = model;
  const isPaid = money !== null && money.received.length + money.spent.length > 0;
  const counts = [now.views, now.clicks, former.views, former.clicks, money?.reported ?? 0];
  const isQuiet = !isPaid && counts.every((count) => count === 0);
  const heading = isQuiet
    ? 'Nothing has changed yet.'
    : `${formatCount(now.clicks, 'click')} this week, ${compare(isClicksUsual, now.clicks, former.clicks)}.`;
  const figures = listFigures(model, names.partners);
  const mail = [
    `${siteName}, ${formatPeriod(from, to)}`,
    heading,
    ...figures.map(([name, text]) => `${name}: ${text}`),
  ].join('\n');
  return (
    <>
      <Statement
        lead={formatPeriod(from, to)}
        actions={
          <>
            <button type="button" className="button" data-copy="week-mail" data-needs-script hidden>
              Copy as a mail
            </button>
            <span role="status" data-copy-status />
            <a href={build(earlier)}>‹ The week before</a>
            {later !== null && <a href={build(later)}>The week after ›</a>}
          </>
        }
      >
        {heading}
      </Statement>
      <textarea
        id="week-mail"
        className="hidden-text"
        tabIndex={-1}
        aria-hidden
        readOnly
        defaultValue={mail}
      />
      <Block title="Readers and money">
        <dl className="facts">
          {figures.map(([name, text, href]) => (
            <FactRow key={name + text} name={name}>
              {href === '' ? text : <a href={href}>{text}</a>}
            </FactRow>
          ))}
        </dl>
      </Block>
      <ActivityView model={changes} />
    </>
  );
}

/** What operators have changed: when, who, what. */
export function ActivityView({ model }: ViewProps<Awaited<ReturnType<typeof readActivity>>>) {
  return (
    <ListTable
      title="Everything that changed"
      note={<AddressCsvLink />}
      name="changes"
      list={model}
      columns={showColumns(ACTIVITY_COLUMNS, {
        time: ({ time }) => <TimeText time={time} />,
        change: ({ text, href }) => (href === '' ? text : <a href={href}>{text}</a>),
      })}
      getKey={({ number }) => String(number)}
      empty="No operator has changed anything yet, or nothing has these words."
    />
  );
}
