import { SevenTicks } from '../../ui/SevenTicks';
import { landingMessages } from './landing.messages';

const { closing } = landingMessages;

export function ClosingCall() {
  return (
    <section className="closing wrap" aria-labelledby="closing">
      <div className="panel">
        <SevenTicks />
        <h2 id="closing">{closing.title}</h2>
        <div>
          <p>{closing.text}</p>
          <a className="button" href="/contact">
            {closing.action}
          </a>
        </div>
      </div>
    </section>
  );
}
