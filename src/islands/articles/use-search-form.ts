import { useEffect, useRef } from 'react';
import { parseSearchText } from '../../core/articles/article-list.ts';

/**
 * Takes over the header's search form: what it submits goes to `search`, and it shows what is searched for. Text that
 * was typed before hydration stays.
 */
export function useSearchForm(query: string, search: (text: string) => void): void {
  const shown = useRef(query);
  useEffect(() => {
    const field = findField();
    if (field && shown.current !== query) field.value = query;
    shown.current = query;
  }, [query]);
  useEffect(() => {
    const field = findField();
    if (!field?.form) return;
    const { form } = field;
    const submit = (event: Event) => {
      event.preventDefault();
      field.value = parseSearchText(field.value);
      search(field.value);
    };
    form.addEventListener('submit', submit);
    return () => form.removeEventListener('submit', submit);
  }, [search]);
}

function findField(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('form[data-search] input[name="q"]');
}
