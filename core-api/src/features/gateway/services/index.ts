export { findService, type ServicesService } from './services.service';
