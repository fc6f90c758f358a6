import type { Readable } from 'node:stream';
import type { UploadedBody } from '../../platform/http/endpoint';
import type { PackageType } from './package/extract';

const PACKAGE_TYPES: Record<string, PackageType> = {
  'application/zip': 'zip',
  'application/gzip': 'gzip',
  'application/json': 'json',
};

export const packageMediaTypes = Object.keys(PACKAGE_TYPES);

/** The package in a body of one of `packageMediaTypes`. */
export const toPackage = ({ mediaType, body }: UploadedBody): { type: PackageType; body: Readable } => ({
  type: PACKAGE_TYPES[mediaType] ?? 'json',
  body,
});
