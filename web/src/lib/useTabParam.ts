import { useSearchParamsState } from './useSearchParamsState';

/**
 * Keeps the tab of a screen in the address (`?aba=`). `show` adds a history entry and forgets the other parameters: search,
 * filter and dialog belong to the previous tab.
 */
export function useTabParam() {
  const { params, update } = useSearchParamsState();
  const show = (tab: string) =>
    update(
      (next) => {
        for (const name of [...next.keys()]) next.delete(name);
        next.set('aba', tab);
      },
      { replace: false, state: null },
    );
  return { asked: params.get('aba'), show };
}
