import styles from './KeyItem.module.css';

const WIDTH = 96;
const HEIGHT = 24;

/** A line chart whose height is the greatest value. The stroke needs 1 px above and below. `label` is its text alternative. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const maximum = Math.max(...values, 1);
  const step = WIDTH / Math.max(values.length - 1, 1);
  const points = values.map((value, index) => {
    const y = HEIGHT - 1 - (value / maximum) * (HEIGHT - 2);
    return `${(index * step).toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <title>{label}</title>
      <polygon className={styles.area} points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
      <polyline className={styles.line} points={points.join(' ')} />
    </svg>
  );
}
