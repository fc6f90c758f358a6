/**
 * Copies a Latin-1 text into one flat string. V8 keeps concatenated strings as trees and walks them on each use, so
 * the copy pays off for a text that becomes part of many messages.
 */
export const toFlatCopy = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
