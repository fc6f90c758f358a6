import type { Core } from '../../../testing/core';
import { createTar, type Files, sendPackage } from './packages';

let siteCount = 0;
/** Creates a static site that serves versions, unless `fields` name a folder. @returns its label */
export async function createSite(core: Core, fields: object = {}): Promise<string> {
  siteCount += 1;
  const subdomain = `site-${siteCount}`;
  await core.create('/subdomains', { subdomain, description: 'x', type: 'static', source: 'versions', ...fields });
  return subdomain;
}

/** Publishes files as a version and expects success. @returns the body of the response */
export async function publish(core: Core, label: string, files: Files, query = '') {
  const { status, body } = await sendPackage(
    core,
    `/subdomains/${label}/versions${query}`,
    'gzip',
    await createTar(files),
  );
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
}

export const NAVIGATION_HEADERS = [['Accept', 'text/html,*/*']] as const;
