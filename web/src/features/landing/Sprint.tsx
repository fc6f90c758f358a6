import { SevenTicks } from '../../ui/layout/SevenTicks';
import { landingMessages } from './landing.messages';

const { sprint } = landingMessages;

/** The four steps as a staircase: each row fills the ticks of its days. */
export function Sprint() {
  return (
    <section className="sprint" aria-labelledby="sprint">
      <div className="wrap">
        <header>
          <h2 id="sprint">{sprint.title}</h2>
          <p className="lead">{sprint.text}</p>
        </header>
        <ol>
          {sprint.steps.map(({ days, first, last, title, text, deliverables }) => (
            <li key={title} className="step">
              <div className="when">
                <SevenTicks first={first} last={last} />
                <p>{days}</p>
              </div>
              <div className="what">
                <h3>{title}</h3>
                <p>{text}</p>
              </div>
              <div className="gets">
                <h4>{sprint.receives}</h4>
                <ul>
                  {deliverables.map((deliverable) => (
                    <li key={deliverable}>{deliverable}</li>
                  ))}
                </ul>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
