import type { Action } from './record.ts';

/**
 * The action that an element stands for: `data-action` (or `data-view`), `data-label` and `data-value`; every
 * other data attribute is custom data, `data-business-type` as `business_type`.
 */
export function readAction(element: Element): Action {
  const { action, view, label = '', value, ...rest } = (element as HTMLElement).dataset;
  const data: Record<string, string> = {};
  for (const [key, text = ''] of Object.entries(rest)) {
    data[key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = text;
  }
  return { name: action ?? view ?? '', label, value: Number(value) || 0, data };
}
