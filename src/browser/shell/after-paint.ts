/** A page in a background tab never paints, so nothing waits longer than this. */
const MAX_WAIT_MS = 2_000;

// The visit script sends after this, so that its requests do not compete with what the first paint needs. A page that
// is left before its first paint sends at once.
window.painted = new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
  addEventListener('pagehide', resolve);
  setTimeout(resolve, MAX_WAIT_MS);
});

// The manifest names the site on a home screen; browsers fetch it while the page loads when it is in the head.
void window.painted.then(() =>
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'manifest', href: '/site.webmanifest' }),
  ),
);
