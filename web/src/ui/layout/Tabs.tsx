import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './Tabs.module.css';

interface TabsProps<Id extends string> {
  tabs: readonly { id: Id; label: string }[];
  current: Id;
  onChange: (id: Id) => void;
  /** Names the row of tabs for screen readers. */
  label: string;
  /** The panel of the current tab. */
  children: ReactNode;
}

/** Tabs and the panel of the current one; the arrow keys go to the neighbour. */
export function Tabs<Id extends string>({ tabs, current, onChange, label, children }: TabsProps<Id>) {
  const ids = useId();
  const row = useRef<HTMLDivElement>(null);
  // Where not all have room, the row scrolls; the page does not.
  useEffect(() => {
    const list = row.current;
    const tab = list?.querySelector<HTMLElement>(`[data-tab="${current}"]`);
    if (list && tab) list.scrollLeft = tab.offsetLeft - list.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
  }, [current]);
  const onArrow = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    const step = event.key === 'ArrowRight' ? 1 : -1;
    const index = tabs.findIndex(({ id }) => id === current);
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <>
      <div ref={row} className={styles.tabs} role="tablist" aria-label={label} onKeyDown={onArrow} tabIndex={-1}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${ids}${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab.id === current}
            aria-controls={`${ids}panel`}
            tabIndex={tab.id === current ? 0 : -1}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${ids}panel`} aria-labelledby={`${ids}${current}`}>
        {children}
      </div>
    </>
  );
}
