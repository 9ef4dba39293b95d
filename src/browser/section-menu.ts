/** Closes a menu of sections after a choice. Escape and a press outside close it without help: it is a popover. */
export function startSectionMenu(root: Document): void {
  for (const menu of root.querySelectorAll<HTMLElement>('[popover][data-menu]')) {
    menu.addEventListener('click', (event) => {
      if (event.target instanceof Element && event.target.closest('a')) menu.hidePopover();
    });
  }
}
