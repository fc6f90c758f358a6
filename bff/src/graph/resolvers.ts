import { admins } from './admins';
import { audit } from './audit';
import { contact } from './contact';
import { gateway } from './gateway';
import { projects } from './projects';
import { session } from './session';
import { settings } from './settings';
import { subdomains } from './subdomains';
import { tenants } from './tenants';

/** The whole graph; each feature answers its own fields. */
export const resolvers = [session, contact, subdomains, projects, tenants, settings, gateway, admins, audit];
