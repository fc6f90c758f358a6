/** A document in YAML as JSON, the form that the server reads (contract §3). Any other text is returned unchanged. */
export async function documentInJson(text: string): Promise<string> {
  if (!/^\s*[\w"']+\s*:/m.test(text) || /^\s*[[{]/.test(text)) return text;
  const { parse } = await import('yaml');
  try {
    return JSON.stringify(parse(text));
  } catch {
    // The server says what is wrong with the text.
    return text;
  }
}
