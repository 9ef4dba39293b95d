import type { ForeignMoney } from '../../core/commissions/exchange-rates.ts';
import { ConvertedText, MoneyAmount } from '../frame/cells.tsx';
import { Block, DataTable } from '../frame/data-table.tsx';
import { ActionForm, CurrencyField, Submit, TextField } from '../frame/forms.tsx';
import { formatCount, formatDay, NO_FIGURE } from '../reports/format.ts';
import type { RateSettings } from './rates.ts';

interface Props {
  readonly rates: RateSettings;
}

/** The currency of the totals, the rates that there are, and the money that has none. */
export function CurrencySettings({ rates }: Props) {
  const { reportingCurrency, foreign } = rates;
  return (
    <Block
      title="Currency and rates"
      note="Each amount is converted once, at the rate of its own day or the last one of the seven days before."
      id="currency"
    >
      <ReportingCurrency rates={rates} />
      {reportingCurrency !== null && foreign.length > 0 && <ForeignCurrencies rates={rates} />}
      <RateFile rates={rates} />
      <TypedRates rates={rates} />
    </Block>
  );
}

function ReportingCurrency({ rates: { reportingCurrency, used } }: Props) {
  const first = [...new Set([...used, ...(reportingCurrency === null ? [] : [reportingCurrency])])];
  return (
    <ActionForm of="reporting-currency" className="settings-form">
      <CurrencyField
        label="Totals are in"
        defaultValue={reportingCurrency ?? ''}
        {...(first.length > 0 && { first })}
      >
        <option value="">Each currency by itself</option>
      </CurrencyField>
      <Submit>Save</Submit>
    </ActionForm>
  );
}

/** An amount of a currency; nothing is a dash. */
function OwnAmount({ money }: { readonly money: ForeignMoney | null }) {
  if (money === null) return NO_FIGURE;
  return <MoneyAmount amount={money.amount || money.reversed} currency={money.currency} kind="unknown" />;
}

function ForeignCurrencies({ rates: { foreign, reportingCurrency, today } }: Props) {
  return (
    <div className="table-box">
      <DataTable
        caption={`Commissions in other currencies than ${reportingCurrency}`}
        rows={foreign}
        getKey={({ currency }) => currency}
        columns={[
          { name: 'Currency', render: ({ currency }) => currency },
          {
            name: 'Newest rate',
            onPhone: 'lead',
            render: ({ newest }) =>
              newest === null ? <b className="text-ink">none</b> : formatDay(newest, today),
          },
          {
            name: 'In the totals',
            isNumeric: true,
            render: ({ converted }) => (
              <>
                <OwnAmount money={converted} />
                {reportingCurrency !== null && converted !== null && converted.converted !== null && (
                  <ConvertedText amount={converted.converted} currency={reportingCurrency} />
                )}
              </>
            ),
          },
          { name: 'Without a rate', isNumeric: true, render: ({ missing }) => <OwnAmount money={missing} /> },
        ]}
      />
    </div>
  );
}

function RateFile({ rates: { file } }: Props) {
  return (
    <>
      <ActionForm of="import-rates" encType="multipart/form-data" className="settings-form">
        <TextField
          label="Rates of the European Central Bank: eurofxref-hist.csv, or its XML"
          type="file"
          name="file"
          accept=".csv,.xml,text/csv,text/xml"
          required
        />
        <Submit>Add the rates</Submit>
      </ActionForm>
      {file === null ? (
        <p className="empty-note">
          No file yet. The bank publishes one on every working day, under Euro foreign exchange reference
          rates.
        </p>
      ) : (
        <ActionForm of="remove-rates" className="flex flex-wrap gap-[.7rem] pt-4">
          <p className="flex-[1_0_100%]">
            Stored: {formatCount(file.days, 'day')} from {formatDay(file.from, '')} to{' '}
            {formatDay(file.to, '')}, {file.currencies === 1 ? '1 currency' : `${file.currencies} currencies`}
            .
          </p>
          <Submit className="text-button">Remove the rates of files</Submit>
        </ActionForm>
      )}
    </>
  );
}

function TypedRates({ rates }: Props) {
  const { typed } = rates;
  return (
    <>
      {typed.length > 0 && (
        <DataTable
          caption="Rates that were typed in, which have priority"
          rows={typed}
          getKey={(rate) => `${rate.day} ${rate.base} ${rate.quote}`}
          columns={[
            { name: 'Typed in for', render: ({ day }) => formatDay(day, '') },
            {
              name: 'Rate',
              onPhone: 'lead',
              render: (rate) => `1 ${rate.base} = ${rate.rate} ${rate.quote}`,
            },
            {
              name: 'Change',
              render: (rate) => (
                <ActionForm of="remove-rate" fields={{ base: rate.base, quote: rate.quote, day: rate.day }}>
                  <Submit className="text-button">
                    Remove
                    <span className="hidden-text">
                      {' '}
                      the rate of {rate.base} of {rate.day}
                    </span>
                  </Submit>
                </ActionForm>
              ),
            },
          ]}
        />
      )}
      <NewRate rates={rates} />
    </>
  );
}

function NewRate({ rates: { today, used, reportingCurrency } }: Props) {
  const quote = reportingCurrency ?? used[0] ?? '';
  const base = used.find((code) => code !== quote) ?? (quote === 'EUR' ? 'USD' : 'EUR');
  return (
    <ActionForm of="set-rate" className="settings-form">
      <CurrencyField name="base" label="One unit of" required defaultValue={base} />
      <TextField
        label="costs"
        name="rate"
        required
        inputMode="decimal"
        pattern="\d{1,9}(\.\d{1,9})?"
        maxLength={19}
        placeholder="1.0832"
      />
      <CurrencyField name="quote" label="in" required defaultValue={quote} />
      <TextField label="on" type="date" name="day" required max={today} defaultValue={today} />
      <Submit className="button button-quiet">Set the rate</Submit>
    </ActionForm>
  );
}
