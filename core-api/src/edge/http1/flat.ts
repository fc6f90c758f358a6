/**
 * The same Latin-1 text in one piece. What was put together with `+` is a tree, which is walked again with every text that
 * it becomes a part of: worth it for what goes into many.
 */
export const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
