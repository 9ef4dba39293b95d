// Puts the button of the summary into its place in the header while it is above the screen.
const place = document.querySelector('[data-late]');
const picked = document.querySelector<HTMLAnchorElement>('.article-pick a');
if (place && picked) {
  const late = picked.cloneNode(true) as HTMLAnchorElement;
  late.href = late.href.replace('=short', '=header');
  late.className = place.className;
  late.style.visibility = 'visible';
  // All below the screen counts as on it: a jump over the summary is noticed too.
  new IntersectionObserver(
    ([entry]) => (entry?.isIntersecting ? late.replaceWith(place) : place.replaceWith(late)),
    { rootMargin: '0px 0px 99999px' },
  ).observe(picked);
}

export {};
