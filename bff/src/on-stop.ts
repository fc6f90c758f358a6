/**
 * Calls `stop` once: on SIGTERM, on SIGINT, or when the IPC channel to the parent closes, so that the process does not
 * outlive a killed supervisor.
 */
export function onStop(stop: () => void): void {
  let isCalled = false;
  const stopOnce = () => {
    if (isCalled) return;
    isCalled = true;
    stop();
  };
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(event, stopOnce);
  // The parent may have ended while this process was starting.
  if (process.send && !process.connected) stopOnce();
}
