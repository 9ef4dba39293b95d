// Offers to sign in with a passkey. Browsers use passkeys for scripts only.
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser';
import { postPasskeyStep } from './post-passkey-step.ts';

const button = document.querySelector<HTMLButtonElement>('[data-passkey="sign-in"]');
const status = document.querySelector('[data-passkey-status]');

async function signIn(): Promise<void> {
  const optionsJSON = await postPasskeyStep('start-sign-in', {});
  const response = await startAuthentication({
    optionsJSON: optionsJSON as PublicKeyCredentialRequestOptionsJSON,
  });
  await postPasskeyStep('sign-in', { response });
}

if (button && status && browserSupportsWebAuthn()) {
  button.hidden = false;
  button.addEventListener('click', () => {
    status.textContent = 'Waiting for your device …';
    signIn().then(
      () => location.assign(button.dataset['next'] ?? ''),
      (error: unknown) => {
        status.textContent = `You are not signed in. ${error instanceof Error ? error.message : ''}`;
      },
    );
  });
}
