/** Search parameter of the link: the username, for the page to show. The token alone decides whose password is set. */
export const ACCOUNT_PARAM = 'conta';
