import { reactRouter } from '@react-router/dev/vite';
import { defaultClientConditions, defineConfig } from 'vite';

const BFF = `http://127.0.0.1:${process.env.BFF_PORT ?? 3001}`;

export default defineConfig({
  plugins: [reactRouter()],
  // RxJS (Apollo's) comes as ES5 with helpers unless it is asked for this.
  resolve: { conditions: ['es2015', ...defaultClientConditions] },
  // Found while a page loads, a dependency would reload it in the developer's hands.
  optimizeDeps: { entries: ['src/**/*.{ts,tsx}', '!src/**/*.test.ts'] },
  server: { proxy: { '/graphql': BFF, '/playground': BFF } },
});
