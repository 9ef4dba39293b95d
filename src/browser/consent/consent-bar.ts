import { PRIVACY_PATH } from '../../core/paths.ts';

const STYLE = `
#consent-bar{position:fixed;inset:auto 0 0 0;z-index:30;
display:flex;flex-wrap:wrap;gap:.75rem 1rem;align-items:center;justify-content:center;padding:.75rem 1rem;
background:var(--raised);color:var(--ink);border-top:1px solid var(--line-strong);font-size:.9375rem}
#consent-bar p{margin:0;max-width:38rem}
#consent-bar div{display:flex;gap:1rem}
#consent-bar a{color:var(--accent);text-decoration:underline}
#consent-bar button{min-height:2.75rem;min-width:6.5rem;padding:.5rem 1rem;
border:1px solid var(--line-strong);border-radius:.25rem;
background:var(--surface);color:var(--ink);font:inherit;font-weight:600;cursor:pointer}
#consent-bar button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media print{#consent-bar{display:none}}
`;

/**
 * Asks for consent to analytics, in a bar that shifts no content and takes no focus. Both buttons look the same; Escape
 * inside the bar declines. `onChoice` is called once.
 */
export function askConsent(onChoice: (isGranted: boolean) => void): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets.push(sheet);
  const bar = document.createElement('section');
  bar.id = 'consent-bar';
  bar.ariaLabel = 'Analytics';
  const choose = (isGranted: boolean) => {
    bar.remove();
    document.documentElement.style.scrollPaddingBottom = '';
    onChoice(isGranted);
  };
  bar.addEventListener('keydown', ({ key }) => key === 'Escape' && choose(false));
  const buttons = document.createElement('div');
  buttons.append(
    buildButton('Decline', () => choose(false)),
    buildButton('Allow', () => choose(true)),
  );
  bar.append(buildQuestion(), buttons);
  document.body.append(bar);
  // An element with the focus must not be hidden by the bar.
  document.documentElement.style.scrollPaddingBottom = `${bar.offsetHeight}px`;
}

function buildQuestion(): HTMLElement {
  const question = document.createElement('p');
  const link = document.createElement('a');
  link.href = PRIVACY_PATH;
  link.textContent = 'What this means';
  question.append('Allow Google Analytics to remember this browser? It shows us which pages help. ', link);
  return question;
}

function buildButton(label: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.addEventListener('click', onClick);
  return button;
}
