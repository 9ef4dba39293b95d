// Escape and a press outside close a popover without help; a choice in it does not.
addEventListener('click', ({ target }) => {
  if (target instanceof Element) target.closest('a')?.closest<HTMLElement>('[data-menu]')?.hidePopover();
});
