import {
  CONTACT_FIELDS,
  type ContactErrors,
  checkContactValues,
  parseContactValues,
} from '../../core/contact/contact-message.ts';
import { CONTACT_API_PATH } from '../../core/paths.ts';

const UNREACHABLE =
  'The site could not be reached. Your text is still here; send it again when you are online.';

// Checks the contact form before it is sent and sends it without leaving the page. Without this script the browser
// submits the form to the server, which checks it as well.
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-contact]')) {
  form.noValidate = true;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // What this browser cannot do, the server does.
    sendForm(form).catch(() => form.submit());
  });
}

async function sendForm(form: HTMLFormElement): Promise<void> {
  const data = new FormData(form);
  const values = parseContactValues((field) => data.get(field));
  const topics = [...form.querySelectorAll('option')].map(({ value }) => value);
  const errors = checkContactValues(values, topics);
  showErrors(form, errors);
  if (Object.keys(errors).length > 0) return;
  const button = form.querySelector('button');
  button?.setAttribute('aria-disabled', 'true');
  try {
    await post(form, {
      ...values,
      page: location.pathname,
      token: data.get('token'),
      website: data.get('website'),
    });
  } catch {
    showErrors(form, { form: UNREACHABLE });
  } finally {
    button?.removeAttribute('aria-disabled');
  }
}

async function post(form: HTMLFormElement, message: object): Promise<void> {
  const response = await fetch(CONTACT_API_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
  if (response.ok) return showThanks(form);
  const { token, errors, detail } = Object(await response.json());
  const field = form.elements.namedItem('token');
  if (typeof token === 'string' && field instanceof HTMLInputElement) field.value = token;
  // A refusal names fields; problem details (RFC 9457) have one sentence.
  showErrors(
    form,
    typeof errors === 'object' ? parseErrors(errors) : { form: String(detail ?? UNREACHABLE) },
  );
}

function parseErrors(errors: unknown): ContactErrors {
  const texts = new Map<string, unknown>(Object.entries(errors ?? {}));
  const fields = [...CONTACT_FIELDS, 'form'].filter((field) => typeof texts.get(field) === 'string');
  return Object.fromEntries(fields.map((field) => [field, String(texts.get(field))]));
}

function showErrors(form: HTMLFormElement, errors: ContactErrors): void {
  let first: HTMLElement | null = null;
  for (const field of [...CONTACT_FIELDS, 'form'] as const) {
    const place = form.querySelector<HTMLElement>(`[data-error="${field}"]`);
    const text = errors[field];
    if (place !== null) {
      place.textContent = text ?? '';
      place.hidden = text === undefined;
    }
    const control = form.querySelector<HTMLElement>(`[name="${field}"]`);
    if (text === undefined) control?.removeAttribute('aria-invalid');
    else {
      control?.setAttribute('aria-invalid', 'true');
      first ??= control;
    }
  }
  first?.focus();
}

function showThanks(form: HTMLFormElement): void {
  const thanks = form.parentElement?.querySelector<HTMLElement>('[data-thanks]');
  if (thanks === null || thanks === undefined) return;
  thanks.hidden = false;
  form.remove();
  thanks.focus();
}
