declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/** Nothing may be stored or used until the visitor says so (consent mode, version 2). */
const DENIED = {
  ad_storage: 'denied',
  ad_user_data: 'denied',
  ad_personalization: 'denied',
  analytics_storage: 'denied',
} as const;

/** Loads Google's tag with everything denied, and hands it the conversions that this site raises from now on. */
export function loadGoogleTag(id: string): void {
  command('consent', 'default', { ...DENIED, wait_for_update: 500 });
  command('js', new Date());
  command('config', id);
  addEventListener('utm_conversion', (event) => {
    const { action, label, value, data } = (event as CustomEvent<Readonly<Record<string, unknown>>>).detail;
    if (typeof action === 'string') command('event', action, { ...Object(data), event_label: label, value });
  });
  const script = document.createElement('script');
  script.async = true;
  script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`;
  document.head.append(script);
}

/** Lets the tag remember the visitor for analytics; advertising stays denied. */
export function grantAnalytics(): void {
  command('consent', 'update', { analytics_storage: 'granted' });
}

/** The tag takes a command for one only when it is an `arguments` object; an array means something else to it. */
function command(..._given: readonly unknown[]): void {
  window.dataLayer ??= [];
  window.dataLayer.push(arguments);
}
