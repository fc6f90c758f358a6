const MEGABYTE = 1024 * 1024;

/** Limits of a package (contract §8). */
export const MAX_PACKAGE_BYTES = 200 * MEGABYTE;
export const MAX_UNPACKED_BYTES = 500 * MEGABYTE;
export const MAX_FILE_BYTES = 100 * MEGABYTE;
export const MAX_FILES = 20_000;
export const MAX_PATH_BYTES = 1_024;
/** A list of 20,000 paths has a few megabytes; `JSON.parse` needs several times as much memory. */
export const MAX_LIST_BYTES = 32 * MEGABYTE;
/**
 * Maximum number of values in a list; a file has three. `{}` takes twenty times as much memory as its text, and a
 * thread that exceeds its heap within `JSON.parse` ends the whole process.
 */
export const MAX_LIST_VALUES = 20 * MAX_FILES;
export const MAX_RULE_FILE_BYTES = MEGABYTE;
