import { MINUTE_MS } from '../../platform/time/units';
import { TopSubjects } from './top-subjects';

const PLACES = 300;

let nowMs: number;
let subjects: TopSubjects;
beforeEach(() => {
  nowMs = MINUTE_MS;
  subjects = new TopSubjects('site');
});

/** Counts successful and failed requests of a site. */
const countRequests = (site: string, successes: number, failures = 0) =>
  subjects.add({ site }, { statuses: [0, 0, successes, 0, 0, failures], refused: [], seconds: 0, buckets: [] }, nowMs);
const readCount = (site: string, status: string) =>
  Number(
    new RegExp(`^edge_site_requests_total\\{site="${site}",status="${status}"\\} (.+)$`, 'm').exec(formatText())?.[1],
  );
const formatText = () => subjects.text('sites');

const fillPlaces = () => {
  for (let index = 0; index < PLACES; index += 1) countRequests(`s${index}`, 10);
};

test('a site that becomes busier than a named one replaces it, and no counter decreases', () => {
  fillPlaces();
  countRequests('late', 500);
  expect([readCount('late', '2xx'), readCount('other', '2xx')]).toEqual([Number.NaN, 500]);
  nowMs += MINUTE_MS;
  countRequests('late', 7);
  expect([readCount('late', '2xx'), readCount('other', '2xx')]).toEqual([7, 500]);
  // The site without a name is counted with the others.
  const [lostSite = ''] = Array.from({ length: PLACES }, (_, index) => `s${index}`).filter(
    (site) => !formatText().includes(`site="${site}"`),
  );
  countRequests(lostSite, 3);
  expect(readCount('other', '2xx')).toBe(503);
});

test('a site that fails keeps its name beside sites with far more requests', () => {
  fillPlaces();
  countRequests('broken', 0, 2);
  nowMs += MINUTE_MS;
  countRequests('broken', 0, 1);
  expect(readCount('broken', '5xx')).toBe(1);
  for (let minute = 0; minute < 3; minute += 1) {
    for (let index = 0; index < 2 * PLACES; index += 1) countRequests(`busy${index}`, 400);
    countRequests('broken', 0, 2);
    nowMs += MINUTE_MS;
  }
  expect(readCount('broken', '5xx')).toBe(7);
});

test('sites of the same activity keep their names', () => {
  fillPlaces();
  for (let minute = 0; minute < 3; minute += 1) {
    nowMs += MINUTE_MS;
    for (let index = 0; index < 2 * PLACES; index += 1) countRequests(`s${index}`, 10);
  }
  for (const index of [0, 150, PLACES - 1]) expect(readCount(`s${index}`, '2xx')).toBe(40);
  expect(readCount('other', '2xx')).toBe(3 * 10 * PLACES);
});
