import { randomBytes } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const RANDOM_CHARACTERS = 10;
/** A DNS label has at most 63 characters, 12 of which are the random part and two hyphens. */
const MAX_LABEL = 51;

/** A label that cannot be guessed: 50 random bits, then the label of the site. */
export function createPreviewLabel(label: string): string {
  const random = [...randomBytes(RANDOM_CHARACTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return `${random}--${label.slice(0, MAX_LABEL).replace(/-+$/, '')}`;
}

/** Settings for the URLs of previews. */
export interface PreviewOrigin {
  readonly sitesDomain: string;
  /** `PUBLIC_URL`. The URLs of previews have its scheme and port. */
  readonly publicUrl: string | undefined;
  /** Port of the edge, for an installation without `PUBLIC_URL`. */
  readonly port: number;
}

/** The URL of a preview; null without a preview. No part comes from the request, because a client could forge it. */
export function createPreviewUrl(
  { previewHost }: { previewHost: string | null },
  { sitesDomain, publicUrl, port }: PreviewOrigin,
): string | null {
  if (previewHost === null) return null;
  const publicOrigin = new URL(publicUrl ?? `http://localhost:${port}`);
  return `${publicOrigin.protocol}//${previewHost}.${sitesDomain}${publicOrigin.port && `:${publicOrigin.port}`}`;
}
