/** Bytes with a meaning in HTTP, which parsers tend to treat differently. */
const DELIMITER_BYTES = [0, 9, 10, 11, 13, 32, 34, 35, 44, 47, 48, 58, 59, 92, 127, 128, 160, 255];

/**
 * Creates a mutator of messages for fuzzing. The same seed gives the same mutations, so that a failure can be repeated.
 */
export function createMutator(seed = 20_261_121) {
  let state = seed;
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state % below;
  };
  return {
    random,
    /** Copies one of `messages` and replaces one to four bytes of the copy. */
    mutate(messages: readonly Buffer[]): Buffer {
      const bytes = Buffer.from(messages[random(messages.length)] ?? '');
      for (let count = random(4); count >= 0; count -= 1) {
        bytes[random(bytes.length)] =
          random(2) === 0 ? (DELIMITER_BYTES[random(DELIMITER_BYTES.length)] ?? 0) : random(256);
      }
      return bytes;
    },
  };
}
