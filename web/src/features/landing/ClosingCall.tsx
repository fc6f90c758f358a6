import { paths } from '../../lib/routing/paths';
import { landingMessages } from './landing.messages';

const { closing } = landingMessages;

/** The seven ticks, each taller than the previous tick. */
const Rise = () => (
  <svg viewBox="0 0 340 280" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    {[1, 2, 3, 4, 5, 6, 7].map((step) => (
      <rect key={step} x={(step - 1) * 52} y={280 - step * 40} width="28" height="288" />
    ))}
  </svg>
);

export function ClosingCall() {
  return (
    <section className="closing wrap" aria-labelledby="closing">
      <div className="panel">
        <Rise />
        <h2 id="closing">{closing.title}</h2>
        <div>
          <p>{closing.text}</p>
          <a className="button" href={paths.contact}>
            {closing.action}
          </a>
        </div>
      </div>
    </section>
  );
}
