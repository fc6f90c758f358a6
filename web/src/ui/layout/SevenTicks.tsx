interface SevenTicksProps {
  /** The first current day. The days before it count as done. */
  first?: number;
  /** The last current day. */
  last?: number;
  className?: string;
}

/** The state of a day while the days from `first` to `last` are current. */
function getTickState(day: number, first: number, last: number): 'done' | 'now' | 'next' {
  if (day < first) return 'done';
  return day <= last ? 'now' : 'next';
}

/**
 * The studio's mark: seven vertical ticks, one for each day of an MVP build, that fill from left to right. The mark is
 * decorative, so a text must also say its meaning. Colours come from CSS on `[data-tick]` (`done`, `now`, `next`);
 * without these styles all ticks have the colour of the text.
 */
export function SevenTicks({ first = 7, last = 7, className }: SevenTicksProps) {
  return (
    <svg
      className={className}
      viewBox="0 0 66 28"
      fill="currentColor"
      aria-hidden="true"
      focusable="false"
      preserveAspectRatio="none"
    >
      {[1, 2, 3, 4, 5, 6, 7].map((day) => (
        <rect key={day} data-tick={getTickState(day, first, last)} x={(day - 1) * 10} width="6" height="28" rx="1" />
      ))}
    </svg>
  );
}
