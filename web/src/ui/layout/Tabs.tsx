import { Tabs as ChakraTabs } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef } from 'react';

interface TabsProps<Id extends string> {
  tabs: readonly { id: Id; label: string }[];
  /** An id that is not among `tabs` marks no tab. */
  current: Id;
  onChange: (id: Id) => void;
  /** Accessible name of the row of tabs. */
  label: string;
  children: ReactNode;
}

/** Chakra's tabs, of which only the current panel is mounted. */
export function Tabs<Id extends string>({ tabs, current, onChange, label, children }: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null);
  // On a narrow screen, scrolls the current tab to the middle of the row. `scrollIntoView` may also scroll the page.
  useEffect(() => {
    const row = list.current;
    const tab = row?.querySelector<HTMLElement>(`[data-value="${current}"]`);
    if (row && tab) row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
  }, [current]);
  const select = (value: string) => {
    const tab = tabs.find(({ id }) => id === value);
    if (tab) onChange(tab.id);
  };
  const isListed = tabs.some(({ id }) => id === current);
  return (
    <ChakraTabs.Root value={current} onValueChange={({ value }) => select(value)}>
      <ChakraTabs.List ref={list} aria-label={label} tabIndex={-1}>
        {tabs.map(({ id, label: name }) => (
          // Chakra makes only the current tab focusable, so without a current tab every tab needs a `tabIndex`.
          <ChakraTabs.Trigger key={id} value={id} tabIndex={isListed ? undefined : 0}>
            {name}
          </ChakraTabs.Trigger>
        ))}
      </ChakraTabs.List>
      {isListed ? (
        <ChakraTabs.Content key={current} value={current} tabIndex={-1}>
          {children}
        </ChakraTabs.Content>
      ) : (
        children
      )}
    </ChakraTabs.Root>
  );
}
