/** `npm run build` builds the three processes and everything that they serve. */

import { ensureBuilt } from './setup/setup.mjs';
import { checkNode } from './supervisor/node.mjs';

checkNode();
await ensureBuilt();
