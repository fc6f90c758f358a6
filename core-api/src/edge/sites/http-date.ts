const DAY = '[A-Z][a-z]{2}';
const TIME = '(?<time>\\d\\d:\\d\\d:\\d\\d)';
const MONTH = '(?<month>[A-Z][a-z]{2})';
const FORMS = [
  `${DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT`,
  `${DAY}[a-z]{3,6}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT`,
  // Without saying so this is GMT too.
  `${DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));
/** Years of two digits mean none that lies further ahead. */
const AHEAD = 50;

/**
 * A date in one of the three forms that HTTP has (RFC 9110 §5.6.7), ms since 1970; `NaN` for any other text, of which
 * `Date.parse` takes nearly all: "foo 1" is a day in 2001 to it.
 */
export function parseHttpDate(text: string): number {
  for (const form of FORMS) {
    const { day, month, year, time } = form.exec(text)?.groups ?? {};
    if (year !== undefined) return Date.parse(`${day} ${month} ${fullYear(year)} ${time} GMT`);
  }
  return Number.NaN;
}

function fullYear(year: string): number {
  if (year.length === 4) return Number(year);
  const now = new Date().getUTCFullYear();
  const full = now - (now % 100) + Number(year);
  return full > now + AHEAD ? full - 100 : full;
}
