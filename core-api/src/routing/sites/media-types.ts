import { extname } from 'node:path';
import { contentType } from 'mime-types';

/** Media types by file extension. Browsers download a file of unknown type, which is `application/octet-stream`. */
export const getMediaType = (path: string): string => contentType(extname(path)) || 'application/octet-stream';
