import type { PackageType } from './package/extract';

const PACKAGE_TYPES: Record<string, PackageType> = {
  'application/zip': 'zip',
  'application/gzip': 'gzip',
  'application/json': 'json',
};

/** The media types of a publication. */
export const packageMediaTypes = Object.keys(PACKAGE_TYPES);

/** @param mediaType one of `packageMediaTypes` */
export const packageTypeOf = (mediaType: string): PackageType => PACKAGE_TYPES[mediaType] ?? 'json';
