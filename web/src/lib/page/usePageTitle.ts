import { useEffect } from 'react';
import { getBrand } from './brand';

/** Sets the title of a page to the name of its loaded entity. Until then the route's `meta` is the title. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · ${getBrand()}`;
  }, [name]);
}
