import { extname } from 'node:path';
import { contentType } from 'mime-types';

/**
 * Media type by the file's extension; files of unknown type are `application/octet-stream`, which browsers download.
 */
export const getMediaType = (path: string): string => contentType(extname(path)) || 'application/octet-stream';
