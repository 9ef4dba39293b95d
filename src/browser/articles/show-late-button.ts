// Puts the button of the summary into its place in the header while it is above the screen.
const place = document.querySelector('[data-late]');
const picked = document.querySelector<HTMLAnchorElement>('.article-pick a');
if (place && picked) {
  const late = picked.cloneNode(true) as HTMLAnchorElement;
  late.href = late.href.replace('=short', '=header');
  late.className = place.className;
  late.style.visibility = 'visible';
  new IntersectionObserver(([entry]) =>
    (entry?.boundingClientRect.bottom ?? 0) < 0 ? place.replaceWith(late) : late.replaceWith(place),
  ).observe(picked);
}

export {};
