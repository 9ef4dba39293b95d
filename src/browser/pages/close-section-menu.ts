// Browsers close a popover on Escape and on a click outside, but not when a link in it leads to a part of the page.
addEventListener('click', ({ target }) => {
  if (target instanceof Element) target.closest('a')?.closest<HTMLElement>('[data-menu]')?.hidePopover();
});
