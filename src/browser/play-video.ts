/** Puts the player in place of a poster when it is pressed. Until then nothing is loaded from the video service. */
export function startVideos(root: Document): void {
  root.addEventListener('click', (event) => {
    const poster = event.target instanceof Element ? event.target.closest('a[data-video]') : null;
    if (!(poster instanceof HTMLAnchorElement)) return;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const [box, frame] = buildPlayer(root, poster);
    poster.replaceWith(box);
    // The player takes the focus that the poster had.
    frame.focus();
  });
}

function buildPlayer(root: Document, poster: HTMLAnchorElement): [HTMLElement, HTMLIFrameElement] {
  const box = root.createElement('div');
  box.className = poster.className;
  const frame = root.createElement('iframe');
  const id = encodeURIComponent(poster.dataset['video'] ?? '');
  frame.src = `https://www.youtube-nocookie.com/embed/${id}?autoplay=1`;
  frame.title = poster.dataset['title'] ?? '';
  frame.allow = 'autoplay; encrypted-media; picture-in-picture; fullscreen';
  frame.referrerPolicy = 'strict-origin-when-cross-origin';
  box.append(frame);
  return [box, frame];
}
