import address from './share.ts?worker&url';

let isLoaded = false;

// The script is loaded with the first click on a button that shares or prints; then it gets that click.
addEventListener('click', ({ target }) => {
  const button = (target as Element).closest<HTMLElement>('[data-share]');
  if (isLoaded || !button) return;
  isLoaded = true;
  import(/* @vite-ignore */ address).then(
    () => button.click(),
    () => {},
  );
});
