import { useEffect, useRef, useState } from 'react';
import { useSearchParamsState } from './useSearchParamsState';

/** Time from the last keystroke to the navigation, so that a navigation does not delay typing. */
const WRITE_AFTER_MS = 250;

/**
 * The text of a search field, kept in the URL (the history entry is replaced). A navigation to another URL, such as
 * Back, replaces the text of the field.
 */
export function useSearchText(name = 'q'): [text: string, setText: (text: string) => void] {
  const { params, update } = useSearchParamsState();
  const textInUrl = params.get(name) ?? '';
  const [text, setText] = useState(textInUrl);
  /** The text that this hook last read from the URL or wrote to it. */
  const syncedText = useRef(textInUrl);

  useEffect(() => {
    if (textInUrl === syncedText.current) return;
    syncedText.current = textInUrl;
    setText(textInUrl);
  }, [textInUrl]);

  useEffect(() => {
    if (text === syncedText.current) return;
    const timer = setTimeout(() => {
      syncedText.current = text;
      update({ [name]: text });
    }, WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, update, name]);

  return [text, setText];
}
