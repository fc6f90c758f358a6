import { getToken } from '../../lib/session/session';

/** Runs in the head of a page without React, before the first paint: shows the links of the console. */
if (getToken() !== null) document.documentElement.classList.add('session');
