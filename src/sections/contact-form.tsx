import { ContactField } from './contact-field.tsx';
import { ContactThanks } from './contact-thanks.tsx';
import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

/** The form to the operator. It works as it stands; a script checks it earlier and sends it without leaving the page. */
export function ContactFormSection({ section, context }: SectionProps<'contact-form'>) {
  const { form, path } = context;
  if (form === null) return null;
  const { values, errors } = form;
  const id = section.id ?? 'contact-form';
  return (
    <SectionFrame section={{ ...section, id }} context={context}>
      <ContactThanks text={section.thanks} isHidden={!form.sent} />
      {!form.sent && (
        <form method="post" action={`${path}#${id}`} data-contact className="grid max-w-text gap-6">
          <ContactField name="topic" label="What is it about?" error={errors['topic']}>
            <select name="topic" defaultValue={form.topic} className="field w-full">
              {section.topics.map(({ key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </select>
          </ContactField>
          <ContactField name="name" label="Your name" error={errors['name']}>
            <input type="text" autoComplete="name" required defaultValue={values['name']} />
          </ContactField>
          <ContactField
            name="email"
            label="Your e-mail address"
            hint="The answer goes here, and nothing else does."
            error={errors['email']}
          >
            <input type="email" autoComplete="email" required defaultValue={values['email']} />
          </ContactField>
          <ContactField name="message" label="Your message" error={errors['message']}>
            <textarea rows={8} required defaultValue={values['message']} />
          </ContactField>
          <div className="trap" aria-hidden="true">
            <label>
              Leave this empty
              <input type="text" name="website" tabIndex={-1} autoComplete="off" />
            </label>
          </div>
          <input type="hidden" name="token" value={form.token} />
          <p
            data-error="form"
            role="alert"
            hidden={errors['form'] === undefined}
            className="rounded border-2 border-danger bg-danger-wash px-4 py-3"
          >
            {errors['form']}
          </p>
          <button type="submit" className="button button-primary justify-self-start">
            {section.button}
          </button>
        </form>
      )}
    </SectionFrame>
  );
}
