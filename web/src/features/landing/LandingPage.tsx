import { ClosingCall } from './ClosingCall';
import { FromScratch } from './FromScratch';
import { Hero } from './Hero';
import css from './landing.css?inline';
import { Pains } from './Pains';
import { Sprint } from './Sprint';

/** `/`: what the studio promises, in the order of product-spec §2. Ships without React, so its styles travel in the page. */
export default function LandingPage() {
  return (
    <>
      <style>{css}</style>
      <Hero />
      <Pains />
      <Sprint />
      <FromScratch />
      <ClosingCall />
    </>
  );
}
