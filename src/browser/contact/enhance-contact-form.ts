import {
  CONTACT_FIELDS,
  type ContactErrors,
  checkContactValues,
  readContactValues,
} from '../core/contact/contact-message.ts';

const UNREACHABLE =
  'The site could not be reached. Your text is still here; send it again when you are online.';

/** Lets the contact form say what is missing before it is sent, and send without leaving the page. */
export function startContactForm(form: HTMLFormElement): void {
  form.noValidate = true;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void sendForm(form);
  });
}

async function sendForm(form: HTMLFormElement): Promise<void> {
  const data = new FormData(form);
  const values = readContactValues((field) => data.get(field));
  const topics = [...form.querySelectorAll('option')].map(({ value }) => value);
  const errors = checkContactValues(values, topics);
  showErrors(form, errors);
  if (Object.keys(errors).length > 0) return;
  const button = form.querySelector('button');
  button?.setAttribute('aria-disabled', 'true');
  try {
    await post(form, { ...values, token: data.get('token'), website: data.get('website') });
  } catch {
    showErrors(form, { form: UNREACHABLE });
  } finally {
    button?.removeAttribute('aria-disabled');
  }
}

async function post(form: HTMLFormElement, message: object): Promise<void> {
  const response = await fetch('/api/contact', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
  const answer: unknown = await response.json();
  if (response.ok) return showThanks(form);
  const parts = new Map<string, unknown>(Object.entries(answer ?? {}));
  const token = parts.get('token');
  const field = form.elements.namedItem('token');
  if (typeof token === 'string' && field instanceof HTMLInputElement) field.value = token;
  showErrors(form, readErrors(parts));
}

/** The errors of an answer of the form's own, or the sentence of a problem answer. */
function readErrors(answer: ReadonlyMap<string, unknown>): ContactErrors {
  const errors = answer.get('errors');
  if (typeof errors === 'object' && errors !== null) return errors as ContactErrors;
  return { form: String(answer.get('detail') ?? UNREACHABLE) };
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
