import { getBrand } from '../lib/page/brand';
import { SevenTicks } from '../ui/layout/SevenTicks';
import { appMessages } from './app.messages';
import css from './console-skeleton.css?inline';

/**
 * A skeleton of the top bar and a list, shown until the screen has loaded. Its styles are inline, so that it is painted
 * before any script or stylesheet has loaded.
 */
export const ConsoleSkeleton = () => (
  <div className="console-skeleton">
    <style>{css}</style>
    <header>
      <SevenTicks />
      {getBrand()}
    </header>
    <output aria-label={appMessages.loading}>
      <span className="title" />
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <span key={row} className="row">
          <span />
          <span />
          <span />
        </span>
      ))}
    </output>
  </div>
);
