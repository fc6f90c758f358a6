import { downloadText } from '../browser/download';

/** A value that a spreadsheet would run as a formula is prefixed with `'`. */
const formatCell = (value: string): string =>
  `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;

/** Lines of values as CSV. The byte order mark tells spreadsheets that the text is UTF-8. */
export const formatCsv = (lines: readonly (readonly string[])[]): string =>
  `\uFEFF${lines.map((line) => line.map(formatCell).join(',')).join('\r\n')}\r\n`;

export const downloadCsv = (name: string, text: string): void => downloadText(name, text, 'text/csv;charset=utf-8');
