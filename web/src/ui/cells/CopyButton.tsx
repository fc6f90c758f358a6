import { useEffect, useState } from 'react';
import { notify } from '../../lib/notifications/notification';
import type { RowIcon } from '../theme/rowIcons';
import { uiMessages } from '../ui.messages';
import styles from './cells.module.css';

/** Time for which the icon confirms a copy, ms. */
const CONFIRMED_MS = 2000;

interface CopyButtonProps {
  text: string;
  /** Label of the action: "Copiar endereço de loja". */
  label: string;
  /** Text of the notification, if product §8 defines one. */
  success?: string;
  failure?: string;
  /** Whether the label is shown beside the icon, for example if copying is the main action. */
  isLabelShown?: boolean;
}

/** Copies a text; the icon confirms the copy. */
export function CopyButton({ text, label, success, failure = uiMessages.copyFailed, isLabelShown }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      notify(success ?? uiMessages.copied);
    } catch {
      // Browsers refuse to copy without a permission or a secure origin.
      notify(failure, { color: 'error' });
    }
  }

  return (
    <button
      type="button"
      className={styles.copy}
      data-icon={copied ? 'check' : ('copy' satisfies RowIcon)}
      aria-label={isLabelShown ? undefined : label}
      title={isLabelShown ? undefined : label}
      onClick={copy}
    >
      {isLabelShown && label}
    </button>
  );
}
