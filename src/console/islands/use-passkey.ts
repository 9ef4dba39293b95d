// Offers to sign in, or to confirm a change, with a passkey. Browsers use passkeys for scripts only.
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser';
import { postPasskeyStep } from './post-passkey-step.ts';

const button = document.querySelector<HTMLButtonElement>('[data-passkey]');
const status = document.querySelector('[data-passkey-status]');

async function runCeremony(start: string, end: string, fields: object): Promise<void> {
  const optionsJSON = await postPasskeyStep(start, fields);
  const response = await startAuthentication({
    optionsJSON: optionsJSON as PublicKeyCredentialRequestOptionsJSON,
  });
  await postPasskeyStep(end, { ...fields, response });
}

async function signIn(next: string): Promise<void> {
  await runCeremony('start-sign-in', 'sign-in', {});
  location.assign(next);
}

/** The session is confirmed then, so the form needs no password any more. */
async function confirmChange(token: string): Promise<void> {
  await runCeremony('start-confirmation', 'confirm', { token });
  document.querySelector<HTMLFormElement>('#confirm')?.submit();
}

if (button && status && browserSupportsWebAuthn()) {
  const { passkey, next = '', token = '' } = button.dataset;
  button.hidden = false;
  button.addEventListener('click', () => {
    status.textContent = 'Waiting for your device …';
    (passkey === 'confirm' ? confirmChange(token) : signIn(next)).catch((error: unknown) => {
      const sentence = passkey === 'confirm' ? 'Nothing was changed.' : 'You are not signed in.';
      status.textContent = `${sentence} ${error instanceof Error ? error.message : ''}`;
    });
  });
}
