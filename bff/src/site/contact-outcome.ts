import escapeHtml from 'escape-html';

export interface ContactOutcome {
  isSent: boolean;
  text: string;
  /** The values of the fields by name, shown again after a failure. */
  values: Record<string, string>;
}

const fillFieldValues = (html: string, values: Record<string, string>): string =>
  html
    .replace(/<input\b[^>]*?\sname="(\w+)"[^>]*?(?=\s*\/?>)/g, (tag, name: string) =>
      Object.hasOwn(values, name)
        ? `${tag.replace(/\svalue="[^"]*"/, '')} value="${escapeHtml(values[name] ?? '')}"`
        : tag,
    )
    .replace(/(<textarea\b[^>]*?\sname="(\w+)"[^>]*>)[^<]*(?=<\/textarea>)/g, (element, tag: string, name: string) =>
      // HTML drops the first newline of a textarea, so a newline always precedes the value.
      Object.hasOwn(values, name) ? `${tag}\n${escapeHtml(values[name] ?? '')}` : element,
    );

/** Writes the outcome of a form that was sent without JavaScript into the contact page (decision 113). */
export function showContactOutcome(html: string, { isSent, text, values }: ContactOutcome): string {
  const state = isSent ? 'success' : 'error';
  const placeholder = '<div id="contact-answer"></div>';
  const page = isSent ? html : fillFieldValues(html, values);
  return page.replace(placeholder, () => `<div id="contact-answer" data-state="${state}">${escapeHtml(text)}</div>`);
}
