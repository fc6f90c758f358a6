import styles from './List.module.css';

/** A text of any length in a cell: so many lines as keep the rows alike; all of it on hover. */
export const Clamped = ({ text }: { text: string }) => (
  <span className={styles.clamped} title={text}>
    {text}
  </span>
);
