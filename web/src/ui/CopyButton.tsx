import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import styles from './CopyButton.module.css';
import { notify } from './notification';
import { uiMessages } from './ui.messages';

interface CopyButtonProps {
  /** What goes to the clipboard. */
  text: string;
  /** Names the act: "Copiar endereço de loja". */
  label: string;
  /** Notification texts, where the spec has its own. */
  success?: string;
  failure?: string;
}

/** Copies a text; the icon confirms it for two seconds. */
export function CopyButton({ text, label, success, failure = uiMessages.copyFailed }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      notify(success ?? uiMessages.copied);
    } catch {
      // No permission, or no secure origin.
      notify(failure, { color: 'error' });
    }
  }

  return (
    <button type="button" className={styles.copy} aria-label={label} title={label} onClick={copy}>
      {copied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
    </button>
  );
}
