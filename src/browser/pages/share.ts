const CONFIRMATION_MS = 4_000;

let timer: ReturnType<typeof setTimeout> | undefined;

// Prints the page, or shares it through the device's share sheet, else copies its address, confirmed in the live region
// beside the button. Where neither works, the address is shown there for the reader to copy.
for (const button of document.querySelectorAll<HTMLElement>('[data-share]'))
  button.addEventListener('click', async () => {
    const way = button.dataset['share'];
    if (way === 'print') return print();
    const region = button.parentElement?.querySelector('[role=status]');
    const show = (text: string) => {
      if (region) region.textContent = text;
    };
    const url = location.origin + location.pathname;
    try {
      if (!way && 'share' in navigator) return await navigator.share({ title: document.title, url });
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

export {};
