import { getBrand } from './brand';

const PLACEHOLDER = '__ORIGIN__';

/** Scheme and host of the site. The BFF fills them into the canonical link. A page without them uses its own origin. */
function getOrigin(): string {
  if (typeof document === 'undefined') return PLACEHOLDER;
  const canonical = document.querySelector('link[rel="canonical"]')?.getAttribute('href');
  return canonical?.startsWith('http') ? new URL(canonical).origin : location.origin;
}

interface PublicPage {
  /** Path of the page with its leading slash. */
  path: string;
  title: string;
  description: string;
}

/** Metadata for search engines and link previews: title, description, canonical URL, Open Graph with image. */
export function createPageMeta({ path, title, description }: PublicPage) {
  const url = `${getOrigin()}${path}`;
  const fullTitle = `${title} · ${getBrand()}`;
  const image = `${getOrigin()}/og.png`;
  return [
    { title: fullTitle },
    { name: 'description', content: description },
    { tagName: 'link' as const, rel: 'canonical', href: url },
    { property: 'og:type', content: 'website' },
    { property: 'og:locale', content: 'pt_BR' },
    { property: 'og:site_name', content: getBrand() },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: url },
    { property: 'og:image', content: image },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { name: 'twitter:card', content: 'summary_large_image' },
  ];
}
