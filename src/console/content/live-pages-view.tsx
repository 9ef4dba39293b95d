import { Fragment } from 'react';
import type { ViewProps } from '../console-page.ts';
import { ActionForm, Submit, TextField, useAction } from '../frame/forms.tsx';
import { DetailHead } from '../frame/list.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatNumber } from '../reports/format.ts';
import { UndoLast } from './changes-view.tsx';
import type { readLivePages } from './live-pages.ts';

type Model = Awaited<ReturnType<typeof readLivePages>>;

/** The pages that nobody has opened, and the form of one: a day and what it says. */
export function LivePagesView({ model }: ViewProps<Model>) {
  const { pages, page, readOnly } = model;
  const mayAnswer = useAction('save-live-page') && readOnly === null;
  return (
    <section className="block" id="live-pages">
      <DetailHead back={['Pieces', buildConsoleAddress('content')]}>
        Compare the pages that you cite.
      </DetailHead>
      <UndoLast undo={model.undo} />
      {readOnly !== null && <p className="problem">{readOnly}</p>}
      {page === null ? (
        <p className="empty-note">Every page that figures rest on was opened.</p>
      ) : (
        <>
          <h2>{page.title}</h2>
          <p>
            <a href={page.href} target="_blank" rel="noreferrer">
              Open {page.href}
            </a>
          </p>
          {mayAnswer && (
            <ActionForm
              of="save-live-page"
              className="form-grid"
              encType="multipart/form-data"
              fields={{ page: page.href, state: page.state }}
            >
              <p className="form-note">
                This is what our pages say. Correct what the page says otherwise: all our pages follow at
                once.
              </p>
              {page.figures.map(({ id, label, typed, currency }) => (
                <Fragment key={id}>
                  <input type="hidden" name="id" value={id} />
                  <TextField
                    label={currency === undefined ? label : `${label} (${currency})`}
                    name="says"
                    defaultValue={typed}
                  />
                </Fragment>
              ))}
              <TextField
                label="Opened on"
                name="day"
                type="date"
                required
                defaultValue={model.today}
                min={page.checked}
                max={model.today}
              />
              {model.takesPictures && (
                <TextField label="A picture of it, if wanted" name="file" type="file" accept="image/*" />
              )}
              <Submit>The page says so. Save, next</Submit>
            </ActionForm>
          )}
          <h3>{`${formatNumber(pages.length)} to open`}</h3>
          <ol>
            {pages.map(({ href, title, at }) => (
              <li key={href} aria-current={href === page.href || undefined}>
                <a href={at}>{title}</a> <small>{URL.parse(href)?.hostname}</small>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}
