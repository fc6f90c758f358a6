import { getToken } from '../../lib/session/session';

/** Runs at the start of the body of a page without React, before the top bar: shows the links of the console. */
if (getToken() !== null) document.documentElement.classList.add('session');
