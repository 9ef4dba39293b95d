// Selects the number of a field when the field is entered by key, mouse or touch, so that it is typed over.

let entered: HTMLInputElement | null = null;

addEventListener('pointerdown', () => {
  entered = null;
});
addEventListener('focusin', ({ target }) => {
  entered = target instanceof HTMLInputElement && target.inputMode !== '' ? target : null;
  entered?.select();
});
// The click that enters a field puts the caret into it after the focus; the next click is for the caret.
addEventListener('click', ({ target }) => {
  if (target === entered) entered?.select();
  entered = null;
});
