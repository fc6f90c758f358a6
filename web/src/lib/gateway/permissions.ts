/** Whether held permissions cover the required one, by the edge's rules (`*`, `resource:*`). */
export function covers(held: readonly string[], needed: string): boolean {
  return held.some(
    (permission) =>
      permission === '*' ||
      permission === needed ||
      (permission.endsWith(':*') && needed.startsWith(permission.slice(0, -1))),
  );
}
