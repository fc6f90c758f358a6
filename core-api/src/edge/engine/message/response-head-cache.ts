import type { HeaderRewrite } from '../types';
import { toFlatCopy } from './flat-copy';
import { parseResponseHead, type ResponseHead } from './response-head';

/** Parses the heads of one connection. The last head is cached, because upstreams mostly repeat it byte for byte. */
export class ResponseHeadCache {
  private text = '';
  private rewrite: HeaderRewrite | undefined;
  private head: ResponseHead | undefined;
  private isFlatCopy = false;

  /** @returns undefined for a malformed head */
  parse(text: string, rewrite: HeaderRewrite | undefined): ResponseHead | undefined {
    if (!this.head || rewrite !== this.rewrite || text !== this.text) {
      this.head = parseResponseHead(text, rewrite);
      this.text = text;
      this.rewrite = rewrite;
      this.isFlatCopy = false;
    } else if (!this.isFlatCopy) {
      this.head = { ...this.head, headerLines: toFlatCopy(this.head.headerLines) };
      this.text = toFlatCopy(text);
      this.isFlatCopy = true;
    }
    return this.head;
  }
}
