import { MINUTE_MS } from '../../../platform/time/relative-time';
import { TopSubjects } from './top-subjects';

const MAX_NAMED = 300;

let nowMs: number;
let subjects: TopSubjects;
beforeEach(() => {
  nowMs = MINUTE_MS;
  subjects = new TopSubjects('site');
});

/** Counts successful and failed requests of a site. */
const addRequests = (site: string, successes: number, failures = 0) =>
  subjects.add({ site }, { statuses: [0, 0, successes, 0, 0, failures], refused: [], seconds: 0, buckets: [] }, nowMs);
const readCount = (site: string, status: string) =>
  Number(
    new RegExp(`^edge_site_requests_total\\{site="${site}",status="${status}"\\} (.+)$`, 'm').exec(formatText())?.[1],
  );
const formatText = () => subjects.createText('sites');

const fillNames = () => {
  for (let index = 0; index < MAX_NAMED; index += 1) addRequests(`s${index}`, 10);
};

test('a site that becomes far busier than a named site takes the place of that site, and no counter decreases', () => {
  fillNames();
  addRequests('late', 500);
  expect([readCount('late', '2xx'), readCount('other', '2xx')]).toEqual([Number.NaN, 500]);
  nowMs += MINUTE_MS;
  addRequests('late', 7);
  expect([readCount('late', '2xx'), readCount('other', '2xx')]).toEqual([7, 500]);
  // A site that has lost its name is counted as `other`.
  const [lostSite = ''] = Array.from({ length: MAX_NAMED }, (_, index) => `s${index}`).filter(
    (site) => !formatText().includes(`site="${site}"`),
  );
  addRequests(lostSite, 3);
  expect(readCount('other', '2xx')).toBe(503);
});

test('a failing site keeps its name beside sites with far more requests', () => {
  fillNames();
  addRequests('broken', 0, 2);
  nowMs += MINUTE_MS;
  addRequests('broken', 0, 1);
  expect(readCount('broken', '5xx')).toBe(1);
  for (let minute = 0; minute < 3; minute += 1) {
    for (let index = 0; index < 2 * MAX_NAMED; index += 1) addRequests(`busy${index}`, 400);
    addRequests('broken', 0, 2);
    nowMs += MINUTE_MS;
  }
  expect(readCount('broken', '5xx')).toBe(7);
});

test('named sites keep their names while other sites are equally active', () => {
  fillNames();
  for (let minute = 0; minute < 3; minute += 1) {
    nowMs += MINUTE_MS;
    for (let index = 0; index < 2 * MAX_NAMED; index += 1) addRequests(`s${index}`, 10);
  }
  for (const index of [0, 150, MAX_NAMED - 1]) expect(readCount(`s${index}`, '2xx')).toBe(40);
  expect(readCount('other', '2xx')).toBe(3 * 10 * MAX_NAMED);
});
