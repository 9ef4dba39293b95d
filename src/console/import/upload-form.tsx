import { FormFields } from '../access/form-fields.tsx';
import { buildConsoleAddress } from '../figures/build-console-address.ts';
import { REPORT_COLUMN_NAMES } from '../figures/console-names.ts';
import { Block } from '../frame/block.tsx';
import type { ImportModel } from './import-model.ts';

/** The form that takes a file. Currency and time zone have no default: a wrong one changes every amount or day. */
export function UploadForm({ model }: { readonly model: ImportModel }) {
  const { partners, timeZones, formToken, maxFileMb } = model;
  return (
    <Block title="Import a CSV file" note="You see what it would bring before anything is imported.">
      <form
        method="post"
        action={buildConsoleAddress('import')}
        encType="multipart/form-data"
        className="form-grid"
      >
        <FormFields token={formToken} fields={{ action: 'upload' }} />
        <label>
          File, at most {maxFileMb} MB
          <input type="file" name="file" accept=".csv,.tsv,.txt,text/csv" required />
        </label>
        <label>
          Partner
          <select name="partner" required defaultValue="">
            <option value="" disabled>
              Choose
            </option>
            {partners.map(({ key, name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Currency of the amounts
          <input
            type="text"
            name="currency"
            required
            pattern="[A-Za-z]{3}"
            maxLength={3}
            placeholder="USD"
            autoComplete="off"
          />
        </label>
        <label>
          Time zone of the dates
          <input
            type="text"
            name="timeZone"
            required
            list="time-zones"
            placeholder="America/New_York"
            autoComplete="off"
          />
        </label>
        <label>
          Order of dates such as 03/04/2026
          <select name="dates" defaultValue="">
            <option value="">As the file shows</option>
            <option value="month-first">Month first</option>
            <option value="day-first">Day first</option>
          </select>
        </label>
        <details>
          <summary>Name columns</summary>
          <p className="form-note">
            Only where the preview finds the wrong ones. Write the heading as the file has it.
          </p>
          {COLUMNS.map((name) => (
            <label key={name}>
              {REPORT_COLUMN_NAMES[name]}
              <input type="text" name={`column-${name}`} autoComplete="off" maxLength={200} />
            </label>
          ))}
        </details>
        <button type="submit" className="button">
          Preview
        </button>
        <datalist id="time-zones">
          {timeZones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </form>
    </Block>
  );
}

/** The columns that an operator may name; the others are found by their headings alone. */
const COLUMNS = ['id', 'subId', 'amount', 'status', 'eventTime'] as const;
