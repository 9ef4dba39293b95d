import { useEffect } from 'react';
import { parseSearchText } from '../../core/articles/article-list.ts';

/** Takes over the header's search form: what it submits goes to `search`, and it shows what is searched for. */
export function useSearchForm(query: string, search: (text: string) => void): void {
  useEffect(() => {
    const form = document.querySelector<HTMLFormElement>('form[data-search]');
    const field = form?.elements.namedItem('q');
    if (!form || !(field instanceof HTMLInputElement)) return;
    field.value = query;
    const submit = (event: Event) => {
      event.preventDefault();
      field.value = parseSearchText(field.value);
      search(field.value);
    };
    form.addEventListener('submit', submit);
    return () => form.removeEventListener('submit', submit);
  }, [query, search]);
}
