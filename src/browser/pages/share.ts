// Prints the page, or shares it through the device's share sheet, else copies its address, confirmed in the live region
// beside the button. Where neither works, the address is shown there for the reader to copy.
addEventListener('click', async ({ target }) => {
  const button = (target as Element).closest<HTMLElement>('[data-share]');
  if (!button) return;
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
  // Without TLS there is no clipboard: that rejects like a refusal.
  const copied = (async () => navigator.clipboard.writeText(url))().then(() => 'Link copied');
  show(await copied.catch(() => url));
});

export {};
