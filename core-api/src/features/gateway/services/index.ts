export { findServiceOrNull, type ServicesService } from './services.service';
