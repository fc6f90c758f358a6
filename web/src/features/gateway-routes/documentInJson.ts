/**
 * A document in YAML as JSON, the form that the server reads (contract §3), or the line of its first mistake. Any other
 * text is returned unchanged.
 */
export async function documentInJson(text: string): Promise<{ document: string } | { wrongLine: number }> {
  if (!/^\s*[\w"']+\s*:/m.test(text) || /^\s*[[{]/.test(text)) return { document: text };
  const { parse, YAMLParseError } = await import('yaml');
  try {
    return { document: JSON.stringify(parse(text)) };
  } catch (error) {
    const [start] = (error instanceof YAMLParseError && error.linePos) || [];
    // Without a line, the server says what is wrong with the text.
    return start ? { wrongLine: start.line } : { document: text };
  }
}
