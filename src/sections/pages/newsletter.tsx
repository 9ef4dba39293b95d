import { NEWSLETTER_PATH } from '../../core/paths.ts';
import { FieldError, FormEnd, FormField, Thanks } from './form-field.tsx';
import { Text } from './inline-text.tsx';
import { SectionFrame, type SectionProps } from './section-frame.tsx';

/** The form that signs visitors up for the newsletter, or its thanks. It needs no scripts. */
export function NewsletterSection({ section, context }: SectionProps<'newsletter'>) {
  const { newsletter: form, path, cta } = context;
  if (form === null) return null;
  const { errors } = form;
  const id = section.id ?? 'newsletter';
  return (
    <SectionFrame section={{ layout: 'split', ...section, id }} context={context}>
      {form.sent ? (
        <div className="max-w-text">
          <Thanks text={section.thanks} />
        </div>
      ) : (
        <form method="post" action={NEWSLETTER_PATH} className="grid max-w-text gap-6">
          <FormField form="newsletter" name="email" label="Your email address" error={errors['email']}>
            <input type="email" autoComplete="email" required defaultValue={form.email} />
          </FormField>
          <div className="grid gap-1.5">
            <label className="flex items-start gap-3">
              <input
                type="checkbox"
                name="consent"
                value="yes"
                className="mt-1 size-5 shrink-0"
                required
                defaultChecked={form.hasConsent}
                aria-invalid={errors['consent'] === undefined ? undefined : true}
                aria-describedby="newsletter-consent-error"
              />
              <Text as="span" text={section.consent} cta={cta} />
            </label>
            <FieldError form="newsletter" name="consent" text={errors['consent']} />
          </div>
          <input type="hidden" name="page" value={path} />
          <FormEnd form={form} button={section.button} />
        </form>
      )}
    </SectionFrame>
  );
}
