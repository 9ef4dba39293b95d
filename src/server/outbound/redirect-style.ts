/** The redirect page's whole style; the colors are those of `src/styles/tokens.css`. */
export const REDIRECT_STYLE = `
:root{color-scheme:light dark;
--surface:oklch(.982 .008 88);--ink:oklch(.235 .03 262);--muted:oklch(.47 .025 262);
--line:oklch(.87 .015 85);--accent:oklch(.47 .16 262)}
@media(prefers-color-scheme:dark){:root{
--surface:oklch(.185 .018 262);--ink:oklch(.94 .01 88);--muted:oklch(.74 .015 88);
--line:oklch(.33 .02 262);--accent:oklch(.77 .11 255)}}
body{margin:0;min-height:100vh;display:grid;place-items:center;
background:var(--surface);color:var(--muted);font:1.0625rem/1.6 system-ui,sans-serif}
main{padding:2rem;max-width:34rem;text-align:center}
h1{margin:1.5rem 0 .5rem;color:var(--ink);font-size:1.5rem;line-height:1.25;text-wrap:balance}
p{margin:0;text-wrap:balance}
a{color:var(--accent);text-underline-offset:.2em}
a:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:2px}
.spinner{width:2.5rem;height:2.5rem;margin:auto;
border:3px solid var(--line);border-top-color:var(--accent);border-radius:50%;animation:turn .8s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
@media(prefers-reduced-motion:reduce){.spinner{animation:none}}
@media(forced-colors:active){.spinner{border-color:CanvasText;border-top-color:Highlight}}
`.trim();
