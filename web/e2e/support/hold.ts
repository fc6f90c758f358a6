/** Creates a promise and the function `release`, which resolves it. */
export function createHold() {
  let release = () => {};
  const whileHeld = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { whileHeld, release };
}
