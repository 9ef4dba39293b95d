import { FormEnd, FormField, Thanks } from './form-field.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

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
      {/* Hidden in the page until the script has sent the message. */}
      <div data-thanks hidden={!form.sent} tabIndex={-1} className="max-w-text">
        <Thanks text={section.thanks} />
      </div>
      {!form.sent && (
        <form method="post" action={`${path}#${id}`} data-contact className="grid max-w-text gap-6">
          <FormField form="contact" name="topic" label="What is it about?" error={errors['topic']}>
            <select defaultValue={form.topic}>
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
          <FormEnd form={form} button={section.button} />
        </form>
      )}
    </SectionFrame>
  );
}
