import type { ActivitySubject } from '../../stores/activity.ts';
import type { ViewProps } from '../console-page.ts';
import { TimeText } from '../frame/cells.tsx';
import { Block, DataTable, ListPager } from '../frame/data-table.tsx';
import { AddressCsvLink } from '../frame/links.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber } from '../reports/format.ts';
import type { readActivity } from './read.ts';

const SUBJECT_NAMES: Readonly<Record<ActivitySubject, string>> = {
  content: 'Content',
  images: 'Images',
  access: 'Access',
  settings: 'Settings',
  commissions: 'Commissions',
  messages: 'Messages',
};

/** What operators have changed: when, who, what. */
export function ActivityView({ model }: ViewProps<Awaited<ReturnType<typeof readActivity>>>) {
  const { rows, subject, subjects, max } = model;
  const path = buildConsoleAddress('activity');
  return (
    <>
      <nav className="segments" aria-label="Activity by subject">
        {[null, ...subjects].map((key) => (
          <a
            key={key}
            className="segment"
            href={key === null ? path : `${path}?about=${key}`}
            aria-current={subject === key ? 'page' : undefined}
          >
            {key === null ? 'All' : SUBJECT_NAMES[key]}
          </a>
        ))}
      </nav>
      <Block
        title={subject === null ? 'All changes' : SUBJECT_NAMES[subject]}
        note={`What operators have changed in the console. The newest ${formatNumber(max)} changes are stored.`}
        links={<AddressCsvLink />}
      >
        <div className="table-box">
          <DataTable
            caption="Changes of operators, the newest first"
            columns={[
              { name: 'Time', render: ({ time }) => <TimeText time={time} /> },
              { name: 'Operator', onPhone: 'lead', render: ({ operator }) => operator },
              { name: 'About', render: (row) => SUBJECT_NAMES[row.subject] },
              {
                name: 'Change',
                render: ({ text, href }) => (href === '' ? text : <a href={href}>{text}</a>),
              },
            ]}
            rows={rows}
            getKey={({ number }) => String(number)}
            empty="No operator has changed anything yet."
          />
        </div>
        <ListPager name="changes" list={model} path={path} />
      </Block>
    </>
  );
}
