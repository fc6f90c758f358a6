/** Removes the spaces around the colon of a typed permission. */
export const normalizePermission = (typed: string): string => typed.replace(/\s*:\s*/, ':');

/** Whether the permissions of a key cover the required permission, by the edge's rules (`*`, `resource:*`). */
export function covers(permissions: readonly string[], required: string): boolean {
  return permissions.some(
    (permission) =>
      permission === '*' ||
      permission === required ||
      (permission.endsWith(':*') && required.startsWith(permission.slice(0, -1))),
  );
}
