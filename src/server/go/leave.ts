/**
 * Runs in the redirect page: leaves for the target at once, and again after 300 ms in case the first try came
 * to nothing. The second try replaces the same address, which a browser joins with a navigation under way: the
 * provider is asked once (a second `location.href` would ask it twice).
 *
 * The function is sent as text, so it uses nothing from outside itself.
 */
export function leave(): void {
  const link = document.querySelector('a');
  const { again, stale } = document.documentElement.dataset;
  let target = link?.href ?? '';
  const start = () => {
    if (again) {
      if (stale) target = again;
      // The link brought nothing of the visit. In the same tab, session storage may still know it.
      try {
        const names = ['utm_original_params', 'user_journey_data', 'assessment_results'];
        const stored = names.map((name) => sessionStorage.getItem(name));
        const text = encodeURIComponent(JSON.stringify([...stored, Date.now()]));
        if (stored.some(Boolean) && text.length < 8000) target = `${again}&stored=${text}`;
      } catch {
        // Storage is denied: the target as it is.
      }
    }
    const go = () => location.replace(target);
    go();
    setTimeout(go, 300);
  };
  // A page that a browser loads ahead is not a visit until somebody sees it.
  if (document.prerendering) {
    document.addEventListener('prerenderingchange', start, { once: true });
  } else {
    start();
  }
}
