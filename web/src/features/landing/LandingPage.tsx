import { createPageMeta } from '../../lib/page/pageMeta';
import { paths } from '../../lib/routing/paths';
import { ClosingCall } from './ClosingCall';
import { FromScratch } from './FromScratch';
import { Hero } from './Hero';
import css from './landing.css?inline';
import { landingMessages } from './landing.messages';
import { Pains } from './Pains';
import { Sprint } from './Sprint';

const { meta: texts } = landingMessages;

/** Structured data about the studio, its service and the free first consultation. The BFF fills in the placeholders. */
const structuredData = {
  '@context': 'https://schema.org',
  '@graph': [
    {
      '@type': 'Organization',
      '@id': '__ORIGIN__/#studio',
      name: '__BRAND_NAME_JSON__',
      url: '__ORIGIN__/',
      logo: '__ORIGIN__/icon-512.png',
    },
    {
      '@type': 'Service',
      name: texts.service,
      serviceType: texts.serviceType,
      description: texts.description,
      provider: { '@id': '__ORIGIN__/#studio' },
      url: '__ORIGIN__/',
      offers: {
        '@type': 'Offer',
        name: texts.offer,
        price: '0',
        priceCurrency: 'BRL',
        url: `__ORIGIN__${paths.contact}`,
      },
    },
  ],
};

export const meta = () => [
  ...createPageMeta({ path: paths.home, title: texts.title, description: texts.description }),
  { 'script:ld+json': structuredData },
];

/** `/`: the sections of product §2, in that order. The page ships without React, so its styles are inline. */
export default function LandingPage() {
  return (
    <>
      <style href="landing" precedence="page">
        {css}
      </style>
      <Hero />
      <Pains />
      <Sprint />
      <FromScratch />
      <ClosingCall />
    </>
  );
}
