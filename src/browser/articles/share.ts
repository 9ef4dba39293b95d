const CONFIRMATION_MS = 4_000;

const button = document.querySelector<HTMLElement>('[data-share]');
const region = button?.nextElementSibling;
let timer: ReturnType<typeof setTimeout> | undefined;

// Shares the page through the device's share sheet, else copies its address, confirmed in the live region beside the
// button. Where neither works, the address is shown there for the reader to copy.
button?.addEventListener('click', async () => {
  const url = location.origin + location.pathname;
  try {
    if ('share' in navigator) return await navigator.share({ title: document.title, url });
  } catch (error) {
    // The reader closed the sheet on purpose. Any other failure falls back to the clipboard.
    if ((error as Error).name === 'AbortError') return;
  }
  clearTimeout(timer);
  try {
    await navigator.clipboard.writeText(url);
    show('Link copied');
    timer = setTimeout(show, CONFIRMATION_MS, '');
  } catch {
    show(url);
  }
});

function show(text: string): void {
  if (region) region.textContent = text;
}

// Puts the button of the summary into its place in the header while it is above the screen.
const place = document.querySelector('[data-late]');
const picked = document.querySelector<HTMLAnchorElement>('.article-pick a');
if (place && picked) {
  const late = picked.cloneNode(true) as HTMLAnchorElement;
  late.href = late.href.replace('position=short', 'position=header');
  late.className = place.className.replace('invisible', '');
  new IntersectionObserver(([entry]) => {
    const isAbove = entry !== undefined && !entry.isIntersecting && entry.boundingClientRect.top < 0;
    if (isAbove) place.replaceWith(late);
    else late.replaceWith(place);
  }).observe(picked);
}

export {};
