/** Search parameter of `/setup` with the username to show. The token alone decides whose password is set. */
export const ACCOUNT_PARAM = 'conta';
