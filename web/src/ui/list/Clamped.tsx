import styles from './List.module.css';

/**
 * A text of any length in a cell. Its lines are limited, so that rows have similar heights; hover shows the whole text.
 */
export const Clamped = ({ text }: { text: string }) => (
  <span className={styles.clamped} title={text}>
    {text}
  </span>
);
