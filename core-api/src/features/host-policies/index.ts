export { removePolicy } from './host-policies.service';
