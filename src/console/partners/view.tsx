import { isYoung } from '../../core/commissions/earned.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { TimeText } from '../frame/cells.tsx';
import { Block } from '../frame/data-table.tsx';
import { EarnedRows, formatAmounts, listAmounts, YoungNote } from '../frame/earned-table.tsx';
import { AddressCsvLink, OperatorLink } from '../frame/links.tsx';
import { addFilter, buildConsoleAddress, buildRowsAddress } from '../reports/addresses.ts';
import type { Column } from '../reports/columns.ts';
import type { EarnedRow } from '../reports/earned.ts';
import { formatRoughShare, NO_FIGURE } from '../reports/format.ts';
import { PartnerReport } from './partner-view.tsx';
import { PARTNER_COLUMNS, type PartnerRow, type readPartnersPage } from './read.ts';

type PartnersModel = NonNullable<Awaited<ReturnType<typeof readPartnersPage>>>;

/** What each partner brought, and how one partner works. */
export function PartnersView({ model }: ViewProps<PartnersModel>) {
  const { query } = useFrame();
  const { rows, partner, sort, total, currency, arrived } = model;
  if (partner !== null) return <PartnerReport model={model} partner={partner} />;
  const [first] = rows;
  const share = first === undefined || total.earned === 0 ? null : first.earned / total.earned;
  const known = new Map<EarnedRow, PartnerRow>(rows.map((row) => [row, row]));
  return (
    <>
      <h1 className="sentence">
        {first === undefined || first.earned === 0
          ? 'No partner has brought money yet.'
          : `${first.name} brought ${formatRoughShare(share ?? 0)} of ${formatAmounts(listAmounts(total, currency))}${isYoung(arrived) ? ' so far' : ''}.`}
      </h1>
      <YoungNote arrived={arrived} isYoung={isYoung(arrived)} />
      <Block title="Partners by money" links={<AddressCsvLink />}>
        <EarnedRows
          caption="Partners by what their clicks earned"
          columns={PARTNER_COLUMNS as readonly Column<EarnedRow>[]}
          rows={rows}
          table={model}
          name={(row) => {
            const { name, network } = known.get(row) ?? { name: row.key, network: '' };
            return (
              <>
                <OperatorLink href={buildConsoleAddress('partners', addFilter(query, 'partner', row.key))}>
                  {name}
                </OperatorLink>
                <small>{network}</small>
              </>
            );
          }}
          toHref={(row) => buildRowsAddress(addFilter(query, 'partner', row.key), currency, 'expected')}
          cells={{
            last: (row) => {
              const at = known.get(row)?.lastMessageAt ?? null;
              return at === null ? NO_FIGURE : <TimeText time={at} now={model.now} />;
            },
          }}
          sort={sort}
          empty="No partner yet. Paste the link that one gave you."
        />
      </Block>
    </>
  );
}
