import type { ReactNode } from 'react';
import css from './page-message.css?inline';
import { SevenTicks } from './SevenTicks';

/**
 * A whole page with one message and one link or button (`children`). Its styles are inline, because the root route
 * imports this component: a stylesheet would delay the first paint of every public page.
 */
export function PageMessage({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="page-message">
      <style>{css}</style>
      <SevenTicks first={5} last={4} />
      <h1>{title}</h1>
      <p>{text}</p>
      {children}
    </div>
  );
}
