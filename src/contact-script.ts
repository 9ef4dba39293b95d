import { startContactForm } from './browser/contact-form.ts';

const form = document.querySelector<HTMLFormElement>('form[data-contact]');
if (form !== null) startContactForm(form);
