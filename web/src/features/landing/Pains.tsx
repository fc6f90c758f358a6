import { landingMessages } from './landing.messages';

const { pains } = landingMessages;

/** Too many days: the seven, then on and on until they fade. */
const Delay = () => (
  <svg viewBox="0 0 320 48" aria-hidden="true" focusable="false">
    {Array.from({ length: 32 }, (_, day) => (
      <rect
        key={`${day + 1}`}
        className={day < 7 ? 'on' : undefined}
        x={day * 10}
        y="8"
        width="4"
        height="32"
        rx="1.5"
        opacity={day < 7 ? 1 : 1 - (day - 6) / 28}
      />
    ))}
  </svg>
);

/** Every day costs more than the one before. */
const Cost = () => (
  <svg viewBox="0 0 320 48" aria-hidden="true" focusable="false">
    {Array.from({ length: 32 }, (_, day) => {
      const height = 6 + 42 * (day / 31) ** 2;
      return (
        <rect
          key={`${day + 1}`}
          className={day < 7 ? 'on' : undefined}
          x={day * 10}
          y={48 - height}
          width="4"
          height={height}
          rx="1.5"
        />
      );
    })}
  </svg>
);

/** The seven, locked in. */
const Lock = () => (
  <svg viewBox="0 0 320 48" aria-hidden="true" focusable="false">
    {Array.from({ length: 7 }, (_, day) => (
      <rect key={`${day + 1}`} className="on" x={14 + day * 10} y="13" width="4" height="22" rx="1.5" />
    ))}
    <rect className="fence" x="1" y="1" width="90" height="46" rx="8" />
    <path className="fence" d="M96 24h224" strokeDasharray="2 6" />
  </svg>
);

const drawings = [Delay, Cost, Lock];

export function Pains() {
  return (
    <section className="pains wrap" aria-labelledby="pains">
      <h2 id="pains">{pains.title}</h2>
      <ul>
        {pains.items.map(({ title, text }, index) => {
          const Drawing = drawings[index] ?? Delay;
          return (
            <li key={title}>
              <Drawing />
              <div>
                <h3>{title}</h3>
                <p>{text}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
