import { LazyMotion, MotionConfig } from 'framer-motion';
import type { ReactNode } from 'react';
import { whenIdle } from './whenIdle';

const loadFeatures = async () => {
  await whenIdle();
  return (await import('./motionFeatures')).default;
};

/** Around `m` elements: their engine comes when the screen is idle, and nothing moves for those who want it so. */
export const Motion = ({ children }: { children: ReactNode }) => (
  <LazyMotion features={loadFeatures} strict>
    <MotionConfig reducedMotion="user">{children}</MotionConfig>
  </LazyMotion>
);
