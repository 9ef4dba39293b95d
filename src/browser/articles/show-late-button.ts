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
