import { createPageMeta } from '../../lib/page/pageMeta';
import { paths } from '../../lib/routing/paths';
import displayFontUrl from '../../ui/fonts/bricolage-display.woff2?url';
import { SevenTicks } from '../../ui/layout/SevenTicks';
import styles from './Contact.module.css';
import { ContactForm } from './ContactForm';
import { contactMessages as messages } from './contact.messages';

export const meta = () => createPageMeta({ path: paths.contact, ...messages.meta });

export const links = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', href: displayFontUrl, crossOrigin: 'anonymous' as const },
];

/** `/contact`: the form, and beside it the steps that follow a message. */
export default function ContactPage() {
  return (
    <div className={styles.page}>
      <div className={styles.intro}>
        <SevenTicks first={1} last={1} className={styles.ticks} />
        <h1>{messages.title}</h1>
        <p>{messages.text}</p>
      </div>
      <ContactForm />
      <section aria-labelledby="contact-next" className={styles.next}>
        <h2 id="contact-next">{messages.next.title}</h2>
        <ol>
          {messages.next.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </section>
    </div>
  );
}
