import { useEffect, useState } from 'react';
import { buildListPath, type ListAddress, parseListAddress } from '../../core/articles/list-address.ts';

/** The list's place as the address bar has it, and a way to go to another one; Back and Forward are followed. */
export function useListAddress(initial: ListAddress): [ListAddress, (next: ListAddress) => void] {
  const [address, setAddress] = useState(initial);
  useEffect(() => {
    const follow = () => setAddress(parseListAddress(new URLSearchParams(location.search)));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const go = (next: ListAddress) => {
    const path = buildListPath(next);
    if (path !== location.pathname + location.search) history.pushState(null, '', path);
    setAddress(next);
  };
  return [address, go];
}
