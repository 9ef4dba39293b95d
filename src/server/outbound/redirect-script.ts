/**
 * Runs in the redirect page: leaves for the target at once, and again after 300 ms if no navigation has begun. A
 * navigation that has begun cancels the second attempt: Firefox would request the target of a slow partner again.
 *
 * When the link carried nothing of the visit, the redirect is requested once more with the records in storage: those of
 * this tab, or, in a tab that was opened from a page of this site, the copy that all tabs share.
 *
 * The function is sent as text, so it uses nothing from outside itself.
 */
export function leaveForPartner(): void {
  const link = document.querySelector('a');
  const { repeat, prefetched } = document.documentElement.dataset;
  let target = link?.href ?? '';
  const readRecords = (): unknown[] => {
    const names = ['utm_original_params', 'user_journey_data', 'assessment_results'];
    const records = names.map((name) => sessionStorage.getItem(name));
    if (records.some(Boolean)) return records;
    const [time, ...copy] = JSON.parse(localStorage.getItem('visit-data') ?? '[0]');
    const isOpenedHere = document.referrer.startsWith(`${location.origin}/`);
    return isOpenedHere && Date.now() - time < 1_800_000 ? [...copy, null] : [];
  };
  const start = () => {
    if (repeat) {
      if (prefetched) target = repeat;
      try {
        const records = readRecords();
        const text = encodeURIComponent(JSON.stringify([...records, Date.now()]));
        if (records.length > 0 && text.length < 8000) target = `${repeat}&stored=${text}`;
      } catch {
        // Storage is denied: the target stays as it is.
      }
    }
    const go = () => location.replace(target);
    const timer = setTimeout(go, 300);
    addEventListener('beforeunload', () => clearTimeout(timer));
    go();
  };
  // A page that a browser loads in advance is not a visit until it is shown.
  if (document.prerendering) {
    document.addEventListener('prerenderingchange', start, { once: true });
  } else {
    start();
  }
}
