/** Interface of this feature for other features. */
export { findService, type ServicesService } from './services.service';
