import consentUrl from '../consent/consent.ts?worker&url';

// On pages whose visitors have choices, and where a proxy names regions: loads the script that asks, after the first paint.
// It has loaded when it knows the visitor's region.
window.regionKnown = load().catch(() => undefined);

async function load(): Promise<void> {
  if (document.prerendering)
    await new Promise((resolve) => document.addEventListener('prerenderingchange', resolve));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  await import(/* @vite-ignore */ consentUrl);
}
