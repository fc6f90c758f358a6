export { type ContactService, retryUndelivered } from './contact.service';
