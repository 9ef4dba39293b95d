/**
 * Loads what shares the page when somebody is about to press the button: most readers never do. The script waits
 * in a template, where it is not run; a press that comes before it is noted for it.
 */
export function shareWhenTouched(button: HTMLElement, template: HTMLTemplateElement): void {
  const touch = ({ type }: Event) => {
    if (type === 'click') button.dataset['share'] = 'pressed';
    document.head.append(template.content);
  };
  for (const type of ['pointerenter', 'focus', 'click']) button.addEventListener(type, touch, { once: true });
}
