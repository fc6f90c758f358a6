/** `npm run build` builds the three processes and everything that they serve. */
import { checkNode } from './node.mjs';
import { ensureBuilt } from './setup.mjs';

checkNode();
await ensureBuilt();
