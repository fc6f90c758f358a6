import { removeParams, useSearchParamsState } from './useSearchParamsState';

/**
 * Keeps the tab of a screen in the URL (`?aba=`). `show` adds or replaces a history entry. It removes all other
 * parameters, because search, filter and dialog belong to the previous tab, and sets `filter` for the new tab.
 */
export function useTabParam(name = 'aba') {
  const { params, update } = useSearchParamsState();
  const show = (tab: string, { filter = '', replace = false } = {}) =>
    update({ ...removeParams(params.keys()), [name]: tab, filtro: filter }, { replace, state: null });
  return { requestedId: params.get(name), show };
}
