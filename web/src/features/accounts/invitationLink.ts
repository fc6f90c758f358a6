/** Search parameter with the username that the page shows. The token alone decides whose password is set. */
export const ACCOUNT_PARAM = 'conta';
