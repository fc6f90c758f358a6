import { act, render, screen } from '@testing-library/react';
import { useVirtualRows } from './useVirtualRows';

const ROW_PX = 50;
const WINDOW_PX = 10 * ROW_PX;

const createRange = (from: number, until: number) => Array.from({ length: until - from }, (_, index) => from + index);

function List({ count = 0, rows = createRange(0, count), total }: { count?: number; rows?: number[]; total?: number }) {
  const virtual = useVirtualRows({ rows, rowKey: String, rowHeightPx: ROW_PX, total });
  return (
    <ul ref={virtual.container} onFocus={virtual.onFocus} data-count={virtual.announcedCount}>
      {virtual.parts.map((part) =>
        part.kind === 'spacer' ? (
          <li key={part.key} data-spacer={part.heightPx} />
        ) : (
          <li key={part.key} ref={virtual.measure} data-index={part.index}>
            <button type="button">{part.row}</button>
          </li>
        ),
      )}
    </ul>
  );
}

/** jsdom has no layout, so the window gets a height, and every row gets the estimated height. */
beforeEach(() => {
  window.innerHeight = WINDOW_PX;
  Object.defineProperty(HTMLElement.prototype, 'offsetHeight', { configurable: true, value: ROW_PX });
});

const scrollTo = (px: number) =>
  act(() => {
    Object.defineProperty(window, 'scrollY', { configurable: true, value: px });
    window.dispatchEvent(new Event('scroll'));
  });
beforeEach(() => scrollTo(0));

const listMounted = () => screen.getAllByRole('button').map(({ textContent }) => Number(textContent));
const getHeightPx = () =>
  listMounted().length * ROW_PX +
  [...document.querySelectorAll<HTMLElement>('[data-spacer]')].reduce(
    (sum, { dataset }) => sum + Number(dataset.spacer),
    0,
  );

test('a list of 99 rows mounts all its rows', () => {
  render(<List count={99} />);
  expect(listMounted()).toHaveLength(99);
  expect(document.querySelector('[data-spacer]')).toBeNull();
});

test.each([100, 5000])(
  'a list of %d rows mounts only the rows near the window, and has the height of all rows',
  (count) => {
    render(<List count={count} />);
    expect(listMounted()[0]).toBe(0);
    expect(listMounted().length).toBeLessThan(30);
    expect(getHeightPx()).toBe(count * ROW_PX);
  },
);

test('scrolling mounts the rows near the window and unmounts the others', () => {
  render(<List count={5000} />);
  scrollTo(1000 * ROW_PX);
  expect(listMounted()).toContain(1000);
  expect(listMounted()).not.toContain(0);
  expect(getHeightPx()).toBe(5000 * ROW_PX);
});

test('the row with the focus and its neighbours stay mounted in their place, however far the window scrolls', () => {
  render(<List count={5000} />);
  act(() => screen.getByRole('button', { name: '3' }).focus());
  scrollTo(1000 * ROW_PX);
  expect(listMounted().slice(0, 3)).toEqual([2, 3, 4]);
  expect(document.activeElement?.textContent).toBe('3');
  expect(listMounted()).toEqual([...listMounted()].sort((a, b) => a - b));
  expect(listMounted()).toContain(1000);
  expect(getHeightPx()).toBe(5000 * ROW_PX);
});

test('the row with the focus stays mounted when rows are inserted above it', () => {
  const { rerender } = render(<List rows={createRange(10, 5000)} />);
  scrollTo(1000 * ROW_PX);
  act(() => screen.getByRole('button', { name: '1010' }).focus());
  scrollTo(0);
  rerender(<List rows={createRange(0, 5000)} />);
  expect(document.activeElement?.textContent).toBe('1010');
});

test.each([
  [15, 15, undefined],
  [15, 40, '40'],
  [100, 100, '100'],
  [100, 2001, '2001'],
])('a list that has loaded %d of %d rows tells screen readers the count %s', (count, total, announcedCount) => {
  render(<List count={count} total={total} />);
  expect(screen.getByRole('list').dataset.count).toBe(announcedCount);
});

test('after the row with the focus was removed, the list mounts only existing rows', () => {
  const { rerender } = render(<List count={5000} />);
  scrollTo(4900 * ROW_PX);
  act(() => screen.getByRole('button', { name: '4900' }).focus());
  scrollTo(0);
  rerender(<List count={200} />);
  expect(Math.max(...listMounted())).toBeLessThan(200);
});
