import { toContactLink } from '../../lib/format/contactLink';
import styles from './cells.module.css';

/** A contact as it was typed; a telephone number links to WhatsApp, an e-mail address to the mail program. */
export function ContactText({ text }: { text: string }) {
  const link = toContactLink(text);
  if (link === null) return text;
  return (
    <a className={styles.link} href={link} target={link.startsWith('https:') ? '_blank' : undefined} rel="noreferrer">
      {text}
    </a>
  );
}
