/** Interface of this feature for other features. */
export { type ContactService, retryUndelivered } from './contact.service';
