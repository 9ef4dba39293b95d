import { FormField, HoneypotField } from './form-field.tsx';
import { SectionFrame } from './section-frame.tsx';
import type { SectionProps } from './section-props.ts';

/**
 * The form to the operator. It works without scripts; a script validates it earlier and sends it without leaving the
 * page.
 */
export function ContactFormSection({ section, context }: SectionProps<'contact-form'>) {
  const { form, path } = context;
  if (form === null) return null;
  const { values, errors } = form;
  const id = section.id ?? 'contact-form';
  return (
    <SectionFrame section={{ ...section, id }} context={context}>
      <Thanks text={section.thanks} isHidden={!form.sent} />
      {!form.sent && (
        <form method="post" action={`${path}#${id}`} data-contact className="grid max-w-text gap-6">
          <FormField form="contact" name="topic" label="What is it about?" error={errors['topic']}>
            <select name="topic" defaultValue={form.topic} className="field w-full">
              {section.topics.map(({ key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </select>
          </FormField>
          <FormField form="contact" name="name" label="Your name" error={errors['name']}>
            <input type="text" autoComplete="name" required defaultValue={values['name']} />
          </FormField>
          <FormField
            form="contact"
            name="email"
            label="Your email address"
            hint="We use it only to reply to you."
            error={errors['email']}
          >
            <input type="email" autoComplete="email" required defaultValue={values['email']} />
          </FormField>
          <FormField form="contact" name="message" label="Your message" error={errors['message']}>
            <textarea rows={8} required defaultValue={values['message']} />
          </FormField>
          <HoneypotField />
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

/** What a sent message is answered with; hidden in the page until then, for the script to show. */
function Thanks(props: { readonly text: string; readonly isHidden: boolean }) {
  return (
    <div data-thanks hidden={props.isHidden} tabIndex={-1} className="max-w-text">
      <p role="status" className="border-l-3 border-positive bg-positive-wash px-5 py-4 text-lg">
        {props.text}
      </p>
    </div>
  );
}
