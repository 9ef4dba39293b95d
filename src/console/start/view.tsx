import { LOOKS, type Look } from '../../core/pages/brand/brand.schema.ts';
import { PRODUCT_KINDS } from '../../core/products/product.ts';
import { useFrame, type ViewProps } from '../console-page.ts';
import { ActionForm, CurrencyField, Select, Submit, TextField } from '../frame/forms.tsx';
import { MoveInForm } from '../import/move-in-view.tsx';
import { buildConsoleAddress } from '../reports/addresses.ts';
import { formatCount } from '../reports/format.ts';
import type { readStart } from './start.ts';

type Props = ViewProps<Awaited<ReturnType<typeof readStart>>>;

/** Each look is named in its own font. */
const LOOK_CLASSES: Readonly<Record<Look, string>> = {
  signpost: 'font-display',
  journal: '[font-family:Iowan_Old_Style,Palatino_Linotype,Palatino,P052,Georgia,serif]',
  catalog: '',
  bench: 'font-mono',
};

const KINDS: Readonly<Record<(typeof PRODUCT_KINDS)[number], string>> = {
  physical: 'Things, with a price paid once',
  software: 'Software, with a price by the month',
};

/** What a new site begins with: the sample, nothing, or another site. */
export function StartView({ model }: Props) {
  const { viewer } = useFrame();
  const { canStart, canMoveIn, hasSample, readOnly } = model;
  return (
    <>
      <p className="text-right text-muted text-small">
        {viewer.kind === 'operator' && `Signed in as ${viewer.name}`}
      </p>
      <h1>What would you like to start with?</h1>
      <p className="text-muted">
        {canStart
          ? 'You can change your mind until you have edited something.'
          : 'This site has content of its own already, so nothing here takes it out.'}
      </p>
      {readOnly !== null && <p className="problem">{readOnly}</p>}
      <div className="grid grid-cols-3 narrow:grid-cols-[minmax(0,1fr)] gap-16 narrow:gap-10 mt-9 pt-8 hairline-t border-line-strong [&>section]:grid [&>section]:content-start [&>section]:gap-4 [&_h2]:text-[1.4rem] [&_.form-grid]:grid-cols-[minmax(0,1fr)] [&_.button]:justify-self-start">
        {hasSample && <LookAround model={model} />}
        {canStart && readOnly === null && <StartEmpty model={model} />}
        {canMoveIn && readOnly === null && (
          <section>
            <h2>Move in</h2>
            <p className="text-muted">
              From WordPress, Ghost, Substack, Medium or Markdown: articles, links and addresses. You see
              everything before anything is written, and nothing that shipped stays.
            </p>
            <MoveInForm maxFileMb={model.maxFileMb}>
              <TextField label="Name of the site, unless the export says it" name="name" maxLength={60} />
              <TextField label="What is it about, unless the export says it?" name="about" maxLength={100} />
            </MoveInForm>
          </section>
        )}
      </div>
      <p className="mt-10 pt-4 hairline-t text-muted">
        <a href={buildConsoleAddress('overview')}>Decide later</a>: the overview has the steps to the first
        commission.
      </p>
    </>
  );
}

function LookAround({ model: { pages, partners } }: Props) {
  return (
    <section>
      <h2>Look around with the sample</h2>
      <p className="text-muted">
        Every view with a year of made-up clicks and commissions. Nothing of it reaches readers, and one click
        ends it.
      </p>
      <ul className="plain-list">
        <li>
          {formatCount(partners, 'partner')}, {formatCount(pages, 'page')}, 36 months
        </li>
        <li>Every figure is marked as made up</li>
        <li>In a folder of its own, apart from your data</li>
        <li>Asks for nothing</li>
      </ul>
      <ActionForm of="start-sample">
        <Submit className="button button-quiet">Look around</Submit>
      </ActionForm>
    </section>
  );
}

function StartEmpty({ model: { named } }: Props) {
  return (
    <section>
      <h2>Start empty</h2>
      <p className="text-muted">
        A front page, a blog, a contact form, privacy, terms and disclosure. No example product, no article,
        and no link to anybody until you add a partner.
      </p>
      <ActionForm of="start-empty" className="form-grid">
        <TextField label="Name of the site" name="name" required maxLength={60} defaultValue={named?.name} />
        <TextField
          label="What is it about?"
          name="about"
          required
          maxLength={100}
          defaultValue={named?.about}
        />
        <Select
          label="Kind of products"
          name="kind"
          defaultValue={named?.kind ?? 'physical'}
          options={PRODUCT_KINDS.map((kind) => [kind, KINDS[kind]] as const)}
        />
        <fieldset className="[&_label]:flex [&_label]:items-baseline [&_label]:gap-2 [&_label]:py-1 [&_label]:text-ink [&_input]:flex-none [&_input]:w-auto">
          <legend>Look, which you can change later under Brand</legend>
          {LOOKS.map(({ key, name, about }, index) => (
            <label key={key}>
              <input type="radio" name="look" value={key} defaultChecked={index === 0} />
              <span>
                <b className={LOOK_CLASSES[key]}>{name}</b> {about}
              </span>
            </label>
          ))}
        </fieldset>
        <CurrencyField label="Currency" defaultValue={named?.currency ?? 'USD'} required />
        <Submit>Start with these pages</Submit>
      </ActionForm>
    </section>
  );
}
