/** The background of a page in each theme. Scripts in the head use it, so this module must not import Chakra. */
export const CANVAS = { light: '#FAFAF7', dark: '#0D1214' };
