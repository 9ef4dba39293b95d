/**
 * The inline script of every page. `painted` resolves with the first paint, or when the page is left before it; a page
 * that nobody sees does not wait for ever. What no visitor waits for comes then: what the visit script sends, the
 * manifest, which says what the site is called on a phone's first screen, and scripts whose address stands in a
 * `template[data-script]`.
 */
export const LATE_SCRIPT = [
  "self.painted=new Promise(r=>{new PerformanceObserver(r).observe({type:'paint',buffered:true});",
  "addEventListener('pagehide',r);setTimeout(r,2e3)});addEventListener('DOMContentLoaded',()=>painted.then(()=>{",
  "document.head.append(Object.assign(document.createElement('link'),{rel:'manifest',href:'/site.webmanifest'}));",
  "for(let{dataset:d}of document.querySelectorAll('template[data-script]'))import(d.script)}))",
].join('');

/**
 * The inline script of pages with a `template[data-woken]`: the script whose address stands in that is loaded when
 * somebody begins to use the page, at once for an island that starts by itself. A link, button or form that needs it
 * (`data-wakes`) and is pressed before it is there is held meanwhile; when it does not come, the browser goes on.
 */
export const WAKE_SCRIPT = [
  '(()=>{let p,a=new AbortController,s={capture:true,signal:a.signal},',
  "w=()=>p??=import(document.querySelector('template[data-woken]').content.firstElementChild.dataset.script)",
  '.then(()=>a.abort(),()=>a.abort()??1);',
  "addEventListener('DOMContentLoaded',()=>document.querySelector('[client=idle]')&&w());",
  "for(let e of['pointerover','pointerdown','keydown','focusin','scroll'])addEventListener(e,w,{...s,passive:true});",
  "for(let e of['click','submit'])addEventListener(e,v=>{let x=v.target.closest('[data-wakes]');",
  "if(!x||x.matches('a,button')!=(e=='click')||v.button||v.metaKey||v.ctrlKey||v.shiftKey||v.altKey)return;",
  'v.preventDefault();v.stopPropagation();',
  'w().then(f=>x.href&&f?location.assign(x.href):x.elements?f?x.submit():x.requestSubmit():x.click())},s)})()',
].join('');
