const PLACEHOLDER = '__BRAND_NAME__';

/** The studio's name. The build writes a placeholder that the BFF fills in; the app reads the name from the page. */
export function getBrand(): string {
  if (typeof document === 'undefined') return PLACEHOLDER;
  return document.querySelector('meta[name="application-name"]')?.getAttribute('content') ?? PLACEHOLDER;
}
