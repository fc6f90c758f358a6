import escapeHtml from 'escape-html';

export interface ContactOutcome {
  sent: boolean;
  /** The sentence to show. */
  text: string;
  /** The values of the fields by name, shown again after a failure. */
  values: Record<string, string>;
}

const keepValues = (html: string, values: Record<string, string>): string =>
  html
    .replace(/<input\b[^>]*?\sname="(\w+)"[^>]*?(?=\s*\/?>)/g, (tag, name: string) =>
      Object.hasOwn(values, name)
        ? `${tag.replace(/\svalue="[^"]*"/, '')} value="${escapeHtml(values[name] ?? '')}"`
        : tag,
    )
    .replace(/(<textarea\b[^>]*?\sname="(\w+)"[^>]*>)[^<]*(?=<\/textarea>)/g, (whole, tag: string, name: string) =>
      // HTML drops the first newline of a textarea, so one is always given.
      Object.hasOwn(values, name) ? `${tag}\n${escapeHtml(values[name] ?? '')}` : whole,
    );

/** Writes the outcome of a form that was sent without JavaScript into the contact page (decision 222). */
export function contactAnswer(html: string, { sent, text, values }: ContactOutcome): string {
  const state = sent ? 'success' : 'error';
  const place = '<div id="contact-answer"></div>';
  const page = sent ? html : keepValues(html, values);
  return page.replace(place, () => `<div id="contact-answer" data-state="${state}">${escapeHtml(text)}</div>`);
}
