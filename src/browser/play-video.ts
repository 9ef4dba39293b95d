/** Puts the player in place of a poster when it is pressed. Until then nothing is loaded from the video service. */
export function startVideos(root: Document): void {
  root.addEventListener('click', (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const poster = event.target instanceof Element ? event.target.closest('a[data-video]') : null;
    if (!(poster instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    poster.replaceWith(buildPlayer(root, poster));
  });
}

function buildPlayer(root: Document, poster: HTMLAnchorElement): HTMLElement {
  const box = root.createElement('div');
  box.className = poster.className;
  const frame = root.createElement('iframe');
  frame.src = `https://www.youtube-nocookie.com/embed/${encodeURIComponent(poster.dataset['video'] ?? '')}?autoplay=1`;
  frame.title = poster.dataset['title'] ?? '';
  frame.allow = 'autoplay; encrypted-media; picture-in-picture; fullscreen';
  frame.referrerPolicy = 'strict-origin-when-cross-origin';
  box.append(frame);
  // The player takes the focus that the poster had.
  queueMicrotask(() => frame.focus());
  return box;
}
