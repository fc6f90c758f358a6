/** `npm run build`: everything that the three processes need, without starting them. */
import { checkNode } from './node.mjs';
import { ensureBuilt } from './setup.mjs';

checkNode();
await ensureBuilt();
