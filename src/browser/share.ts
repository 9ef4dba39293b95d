const SAID_MS = 4_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Lets a button share the page: through the device's share sheet, else by its address on the clipboard, confirmed
 * in the live region beside the button. Where neither works, the address is shown there to be copied.
 */
export function startSharing(button: HTMLElement): void {
  button.addEventListener('click', () => void sharePage(button.nextElementSibling));
}

async function sharePage(said: Element | null): Promise<void> {
  const url = location.origin + location.pathname;
  const say = (text: string) => {
    if (said) said.textContent = text;
  };
  try {
    if ('share' in navigator) {
      await navigator.share({ title: document.title, url });
      return;
    }
  } catch (error) {
    // The reader closed the sheet: that is an answer. Anything else falls back to the clipboard.
    if ((error as Error).name === 'AbortError') return;
  }
  clearTimeout(timer);
  try {
    await navigator.clipboard.writeText(url);
    say('Link copied');
    timer = setTimeout(say, SAID_MS, '');
  } catch {
    say(url);
  }
}
