import { uiMessages } from '../ui.messages';
import styles from './Field.module.css';

export interface RestoredDraftProps {
  /** What was saved has changed since it was typed, in a field that was typed in. */
  isOutdated: boolean;
  onDiscard: () => void;
}

const { restored, outdated, discard } = uiMessages.draft;

/** Above a form that shows what was typed before, instead of what is saved. */
export const RestoredDraft = ({ isOutdated, onDiscard }: RestoredDraftProps) => (
  <p className={styles.restored} role="status">
    {isOutdated ? outdated : restored}
    <button type="button" onClick={onDiscard}>
      {discard}
    </button>
  </p>
);
