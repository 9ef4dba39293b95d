// Adds a passkey in the settings. Browsers create passkeys for scripts only.
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser';
import { postPasskeyStep } from './post-passkey-step.ts';

const form = document.querySelector<HTMLFormElement>('[data-passkey="register"]');
const status = form?.querySelector('[data-passkey-status]');

async function register(fields: FormData, token: string): Promise<void> {
  const optionsJSON = await postPasskeyStep('start-registration', { token });
  const response = await startRegistration({
    optionsJSON: optionsJSON as PublicKeyCredentialCreationOptionsJSON,
  });
  await postPasskeyStep('register', { token, label: String(fields.get('label')), response });
}

if (form && status && browserSupportsWebAuthn()) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    status.textContent = 'Waiting for your device …';
    register(new FormData(form), form.dataset['token'] ?? '').then(
      () => location.reload(),
      (error: unknown) => {
        status.textContent = `No passkey was added. ${error instanceof Error ? error.message : ''}`;
      },
    );
  });
}
