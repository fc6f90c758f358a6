const MEGABYTE = 1024 * 1024;

/** Limits of a package (contract §8). */
export const PACKAGE_BYTES = 200 * MEGABYTE;
export const UNPACKED_BYTES = 500 * MEGABYTE;
export const FILE_BYTES = 100 * MEGABYTE;
export const FILES = 20_000;
export const PATH_BYTES = 1_024;
/** A list of 20,000 paths has a few megabytes; `JSON.parse` needs several times as much memory. */
export const LIST_BYTES = 32 * MEGABYTE;
export const RULE_FILE_BYTES = MEGABYTE;
