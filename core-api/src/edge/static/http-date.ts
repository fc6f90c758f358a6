const DAY = '[A-Z][a-z]{2}';
const TIME = '(?<time>\\d\\d:\\d\\d:\\d\\d)';
const MONTH = '(?<month>[A-Z][a-z]{2})';
const FORMS = [
  `${DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT`,
  `${DAY}[a-z]{3,6}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT`,
  // The asctime form is GMT too.
  `${DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));
/** A two-digit year that would be further in the future than this belongs to the past century (RFC 9110 §5.6.7). */
const MAX_YEARS_AHEAD = 50;

/**
 * Parses a date in one of the three forms of HTTP (RFC 9110 §5.6.7), ms since the epoch; `NaN` for any other text.
 * `Date.parse` is too lenient: it reads "foo 1" as a day in 2001.
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
  return full > now + MAX_YEARS_AHEAD ? full - 100 : full;
}
