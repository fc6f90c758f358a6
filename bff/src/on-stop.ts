/**
 * Calls `stop` once: on SIGTERM, on SIGINT, and when whoever started this process over an IPC channel is gone, so that
 * nothing runs on after a killed supervisor.
 */
export function onStop(stop: () => void): void {
  let called = false;
  const once = () => {
    if (called) return;
    called = true;
    stop();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(signal, once);
  // It may have gone while this process was still starting.
  if (process.send && !process.connected) once();
}
