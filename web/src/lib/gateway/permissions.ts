/** Whether held permissions cover the required one, by the edge's rules (`*`, `resource:*`). */
export function covers(permissions: readonly string[], required: string): boolean {
  return permissions.some(
    (permission) =>
      permission === '*' ||
      permission === required ||
      (permission.endsWith(':*') && required.startsWith(permission.slice(0, -1))),
  );
}
