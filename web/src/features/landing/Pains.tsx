import { landingMessages } from './landing.messages';

const { pains } = landingMessages;

const createRange = (count: number) => Array.from({ length: count }, (_, index) => index);
const WEEK = createRange(7);
const ALL_DAYS = createRange(32);

/** Too many days: seven ticks, and further ticks that fade out. */
const Delay = () => (
  <svg viewBox="0 0 320 48" aria-hidden="true" focusable="false">
    {ALL_DAYS.map((day) => (
      <rect
        key={day}
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

/** Rising costs: each tick is taller than the previous tick. */
const Cost = () => (
  <svg viewBox="0 0 320 48" aria-hidden="true" focusable="false">
    {ALL_DAYS.map((day) => {
      const height = 6 + 42 * (day / 31) ** 2;
      return (
        <rect
          key={day}
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

/** Lock-in: the seven ticks inside a fence. */
const Lock = () => (
  <svg viewBox="0 0 320 48" aria-hidden="true" focusable="false">
    {WEEK.map((day) => (
      <rect key={day} className="on" x={14 + day * 10} y="13" width="4" height="22" rx="1.5" />
    ))}
    <rect className="fence" x="1" y="1" width="90" height="46" rx="8" />
    <path className="fence" d="M96 24h224" strokeDasharray="2 6" />
  </svg>
);

export function Pains() {
  return (
    <section className="pains" aria-labelledby="pains">
      <div className="wrap">
        <h2 id="pains">{pains.title}</h2>
        <ul>
          {pains.items.map(({ title, text }, index) => {
            const Drawing = [Delay, Cost, Lock][index] ?? Delay;
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
      </div>
    </section>
  );
}
