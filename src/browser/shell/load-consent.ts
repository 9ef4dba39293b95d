import consentUrl from '../consent/consent.ts?worker&url';

// On pages whose visitors have choices, and where a proxy names regions: reads the choice, if a record of visits is asked for,
// and loads the script that asks, after the first paint. That has loaded when it knows the visitor's region.
if (document.documentElement.dataset['choice'] && !navigator.globalPrivacyControl)
  try {
    window.choice = localStorage['visit-choice'] ?? '';
  } catch {
    // Storage is denied: there is no choice.
  }
window.regionKnown = load().catch(() => undefined);

async function load(): Promise<void> {
  if (document.prerendering)
    await new Promise((resolve) => document.addEventListener('prerenderingchange', resolve));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  await import(/* @vite-ignore */ consentUrl);
}
