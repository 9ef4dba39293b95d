/** The alert of a page whose content could not be loaded: Retry waits until the next attempt can work, and says so. */
const link = document.querySelector<HTMLAnchorElement>('a[data-retry-at]');
const note = document.querySelector('[data-retry-note]');

link?.addEventListener('click', (event) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  waitOrGo(link);
});

function waitOrGo(target: HTMLAnchorElement): void {
  const seconds = Math.ceil((Number(target.dataset['retryAt']) - performance.now()) / 1_000);
  if (seconds <= 0) {
    location.assign(target.href);
    return;
  }
  if (note) note.textContent = `Trying again in ${seconds} s`;
  setTimeout(() => waitOrGo(target), 1_000);
}
