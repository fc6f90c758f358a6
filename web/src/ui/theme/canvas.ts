/** The background of a page in each theme. This module is without Chakra, because scripts in the head use the colours. */
export const CANVAS = { light: '#FAFAF7', dark: '#0D1214' };
