// A click replaces the poster of a video with the player. The video service receives no request before that.
addEventListener('click', (event) => {
  const poster = event.target instanceof Element ? event.target.closest('a[data-video]') : null;
  if (!(poster instanceof HTMLAnchorElement)) return;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const box = document.createElement('div');
  box.className = poster.className;
  const player = buildPlayer(poster.dataset);
  box.append(player);
  poster.replaceWith(box);
  // The player takes over the focus of the poster.
  player.focus();
});

function buildPlayer({ video = '', title = '' }: DOMStringMap): HTMLIFrameElement {
  return Object.assign(document.createElement('iframe'), {
    src: `https://www.youtube-nocookie.com/embed/${encodeURIComponent(video)}?autoplay=1`,
    title,
    allow: 'autoplay; encrypted-media; picture-in-picture; fullscreen',
    referrerPolicy: 'strict-origin-when-cross-origin',
  });
}
