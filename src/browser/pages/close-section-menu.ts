// Browsers close a popover on Escape and on a click outside, but not when a link in it leads to a part of the page.
addEventListener('click', ({ target }) => {
  const menu = target instanceof Element ? target.closest('a')?.closest<HTMLElement>('[data-menu]') : null;
  if (!menu) return;
  menu.hidePopover?.();
  // Where no popover is known, a `<details>` shows the menu.
  menu.previousElementSibling?.removeAttribute('open');
});
