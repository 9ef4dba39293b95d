const SAID_MS = 4_000;

/**
 * Lets `[data-share]` share the page: through the device's share sheet, else by its address on the clipboard,
 * confirmed in the live region beside the button. Where neither works, the address is shown there to be copied.
 */
export function startSharing(): void {
  const button = document.querySelector('[data-share]');
  const said = button?.nextElementSibling;
  if (!button || !said) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (text: string) => {
    said.textContent = text;
    clearTimeout(timer);
    timer = setTimeout(() => {
      said.textContent = '';
    }, SAID_MS);
  };
  button.addEventListener('click', async () => {
    const url = location.origin + location.pathname;
    try {
      if ('share' in navigator) {
        await navigator.share({ title: document.title, url });
        return;
      }
    } catch (error) {
      // The reader closed the sheet: that is an answer. Anything else falls back to the clipboard.
      if ((error as Error).name === 'AbortError') return;
    }
    try {
      await navigator.clipboard.writeText(url);
      say('Link copied');
    } catch {
      said.textContent = url;
    }
  });
}
