import { IconButton, Input } from '@chakra-ui/react';
import { Search, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { isDialogOpen } from '../../../lib/browser/isDialogOpen';
import { uiMessages } from '../../ui.messages';
import { listMessages } from '../list.messages';
import styles from '../rows/List.module.css';

/** Whether a key press belongs to a field with the focus, to a shortcut or to an open dialog. */
function isUsedElsewhere(event: KeyboardEvent): boolean {
  const { target } = event;
  const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
  return isTyping || event.ctrlKey || event.metaKey || event.altKey || isDialogOpen();
}

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** The search of a list. `/` focuses it, and Escape empties it. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent) => {
      if (event.key !== '/' || isUsedElsewhere(event)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', focusOnSlash);
    return () => document.removeEventListener('keydown', focusOnSlash);
  }, []);
  return (
    <search className={styles.search}>
      <Search aria-hidden size={16} />
      <Input
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
        }}
      />
      {/* The hint and the button stay mounted, because mounting one adds a style rule.
          The browser would then compute the styles of the whole list again. */}
      <IconButton
        variant="ghost"
        size="xs"
        hidden={value === ''}
        aria-label={uiMessages.clearSearch}
        onClick={() => {
          onChange('');
          input.current?.focus();
        }}
      >
        <X aria-hidden />
      </IconButton>
      <kbd aria-hidden hidden={value !== ''}>
        {listMessages.searchShortcut}
      </kbd>
    </search>
  );
}
