export type Random = (below: number) => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0 || 1;
  return (below) => {
    // xorshift32
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

const SPECIAL_BYTES = '\0\t\n\v\r \x1f"#,/09:;=AZ\\az\x7f\x80\x85\xa0\xff';

/** Generates nearly valid messages from a grammar. Any part may be replaced by a text that servers read differently. */
export class Messages {
  constructor(private readonly random: Random) {}

  private pick<T>(items: readonly T[]): T {
    const item = items[this.random(items.length)];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  }

  /** Returns one of `unusual` with a probability of 1 / `rarity`, and otherwise `usual`. */
  private pickMostly(rarity: number, usual: string, unusual: readonly string[]): string {
    return this.random(rarity) === 0 ? this.pick(unusual) : usual;
  }

  private createLineEnd(): string {
    return this.pickMostly(120, '\r\n', ['\n', '\r', '\r\r\n', '\n\r', '\r\n ', '\r\n\t', ' \r\n', '\0\r\n']);
  }

  private createName(usual: string): string {
    const nameInAnyCase = this.random(8) === 0 ? usual.toUpperCase() : usual;
    return this.pickMostly(80, nameInAnyCase, [
      `${nameInAnyCase} `,
      ` ${nameInAnyCase}`,
      `${nameInAnyCase}\t`,
      '',
      'X\0Y',
      'X Y',
      'X\xe9',
      'X(Y)',
      `\v${nameInAnyCase}`,
      '"q"',
    ]);
  }

  private createField(name: string, value: string): string {
    const blank = this.pickMostly(12, ' ', ['', '  ', '\t', ' \t ', '\r\n ', '\v', '\x85', '\xa0']);
    const after = this.pickMostly(30, '', [' ', '\t', '\0', '\x7f', '\xa0', '\r', '\n']);
    return `${this.createName(name)}:${blank}${value}${after}${this.createLineEnd()}`;
  }

  private createOrdinaryField(): string {
    const value = () =>
      this.pick([
        '',
        'a',
        'a, b',
        '"q, r"',
        'caf\xe9',
        '\xff\xfe',
        'tab\there',
        'x'.repeat(40),
        'a:b',
        ';=;',
        'nul\0',
        'del\x7f',
      ]);
    return this.pick([
      () => this.createField('X-Any', value()),
      () => this.createField('Accept', '*/*'),
      () => this.createField('Cookie', value()),
      () =>
        this.createField(
          'Connection',
          this.pick(['close', 'keep-alive', 'x-any', 'close, x-any', 'Upgrade', 'CLOSE', '', ',', 'content-length']),
        ),
      () => this.createField('TE', this.pick(['trailers', 'gzip'])),
      () => this.createField('Expect', this.pick(['100-continue', '100-Continue', 'else'])),
      () => this.createField('Keep-Alive', 'timeout=5'),
      () => this.createField('Upgrade', this.pick(['websocket', 'h2c'])),
      () => this.createField('Date', 'Sat, 21 Nov 2026 10:00:00 GMT'),
    ])();
  }

  private createChunkedBody(content: string): string {
    const extension = () =>
      this.pickMostly(6, '', [
        ';x',
        ';x=y',
        ';x="q;r"',
        '; x',
        ';',
        ' ;x',
        ';x=',
        ';\x80',
        ';x="\\""',
        ';x="',
        ';a\0',
        '\t',
        ' ',
        ';x;y=z',
        ';x\n',
      ]);
    let body = '';
    for (let offset = 0; offset < content.length; ) {
      const size = 1 + this.random(content.length - offset);
      const digits = size.toString(16);
      const sizeText = this.pickMostly(30, this.random(3) === 0 ? digits.toUpperCase() : digits, [
        ...[`0${digits}`, `0x${digits}`, `+${digits}`, `-${digits}`, ` ${digits}`, `${digits} `, '', 'g', `${digits}g`],
        ...['ffffffffffffffff', '10000000000000001', `${'0'.repeat(20)}${digits}`, `${digits}_`],
      ]);
      body += `${sizeText}${extension()}${this.createLineEnd()}${content.slice(offset, offset + size)}${this.createLineEnd()}`;
      offset += size;
    }
    const trailers = this.random(4) === 0 ? this.createField('X-Trailer', '1') : '';
    return `${body}${this.pickMostly(40, '0', ['00', '0 ', '', '-0', '0000000000000000'])}${extension()}${this.createLineEnd()}${trailers}${this.createLineEnd()}`;
  }

  private createLengthField(length: number): string {
    const value = this.pickMostly(12, String(length), [
      ...[
        `+${length}`,
        `-${length}`,
        `${length},${length}`,
        `0${length}`,
        `${length} ${length}`,
        `0x${length}`,
        `${length}.0`,
        '',
      ],
      ...['99999999999999999999', '9007199254740993', `${length}a`, `${length},`, `"${length}"`, '\xb2'],
    ]);
    return this.createField('Content-Length', value);
  }

  private createCodingField(): string {
    return this.createField(
      'Transfer-Encoding',
      this.pickMostly(10, 'chunked', [
        ...[
          'Chunked',
          'gzip, chunked',
          'chunked, identity',
          'xchunked',
          'identity',
          'chunked, chunked',
          ',chunked',
          'chunked,',
        ],
        ...['"chunked"', 'chunked;x', '', 'chun ked', '\x0bchunked', 'gzip'],
      ]),
    );
  }

  /** Generates framing fields and the matching body. */
  private createFraming(): { fields: string[]; body: string } {
    const content = this.pick(['', 'a', 'hello', '0\r\n\r\n', 'GET / HTTP/1.1\r\nHost: b\r\n\r\n', 'x'.repeat(70)]);
    switch (this.random(6)) {
      case 0:
      case 1:
        return { fields: [], body: this.random(30) === 0 ? content : '' };
      case 2:
        return { fields: [this.createLengthField(content.length)], body: content };
      case 3:
        return { fields: [this.createCodingField()], body: this.createChunkedBody(content) };
      case 4:
        return this.random(6) === 0
          ? {
              fields: [this.createLengthField(content.length), this.createCodingField()],
              body: this.pick([content, this.createChunkedBody(content)]),
            }
          : { fields: [this.createCodingField()], body: this.createChunkedBody(content) };
      default:
        return this.random(6) === 0
          ? { fields: [this.createLengthField(content.length), this.createLengthField(content.length)], body: content }
          : { fields: [this.createLengthField(content.length)], body: content };
    }
  }

  private createMessage(firstLine: string, fields: string[], body: string): string {
    for (let remaining = this.random(4); remaining > 0; remaining -= 1) {
      fields.splice(this.random(fields.length + 1), 0, this.createOrdinaryField());
    }
    return `${firstLine}${fields.join('')}${this.createLineEnd()}${body}`;
  }

  private createRequestLine(): string {
    const method = this.pickMostly(6, this.pick(['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE']), [
      ...[
        'PATCH',
        'PROPFIND',
        'M-SEARCH',
        'CONNECT',
        'TRACE',
        'get',
        'GE',
        'GETT',
        'FOO',
        'PRI',
        'SOURCE',
        'QUERY',
        '',
      ],
    ]);
    const target = this.pickMostly(4, this.pick(['/', '/a/b?c=d', '/%2f']), [
      ...[
        '*',
        'http://h/p?q',
        'http://h',
        'HTTPS://h:1/',
        'http://u@h/',
        '//h/p',
        '/a b',
        '/#f',
        '/\x80',
        '/\\',
        '/"<>',
        '',
        'a',
      ],
      ...['http:///p', 'http://[::1]:2/x', 'http://h?x', '/\t', '/\0', '/\x7f', 'http://h\\/x', 'ftp://h/'],
    ]);
    const version = this.pickMostly(10, 'HTTP/1.1', [
      'HTTP/1.0',
      'HTTP/1.2',
      'HTTP/2.0',
      'HTTP/0.9',
      'HTTP/1.',
      'http/1.1',
      'HTTP/1.10',
      'HTTP/11',
      'ICE/1.0',
      '',
    ]);
    const space = () => this.pickMostly(60, ' ', ['  ', '\t', '', '\v', '\xa0']);
    return `${method}${space()}${target}${space()}${version}${this.createLineEnd()}`;
  }

  createRequest(): string {
    const host = this.pickMostly(
      15,
      this.createField('Host', this.pickMostly(10, 'a.b', ['', 'a b', 'a:80', 'a,b', '[::1]', 'a/b', 'u@a', '\xe9'])),
      ['', `${this.createField('Host', 'a')}${this.createField('Host', 'b')}`],
    );
    const { fields, body } = this.createFraming();
    const before = this.pickMostly(40, '', ['\r\n', '\n', '\r\n\r\n', ' ', '\0']);
    return this.createMessage(before + this.createRequestLine(), [host, ...fields], body);
  }

  /** Creates the requests of one client connection. Most requests repeat nearly the whole previous header block. */
  createRequests(): string {
    const requests = [this.createRequest()];
    for (let remaining = this.random(3); remaining > 0; remaining -= 1)
      requests.push(this.random(3) === 0 ? this.createRequest() : this.varyRequest(requests.at(-1) ?? ''));
    return requests.join('');
  }

  /** Returns the request with up to two changes: header lines are removed, added or replaced. */
  private varyRequest(request: string): string {
    const end = request.indexOf('\r\n\r\n');
    const [firstLine = '', ...lines] = request.slice(0, end < 0 ? 0 : end + 2).split(/(?<=\r\n)/);
    if (lines.length === 0) return request;
    for (let changes = this.random(3); changes > 0; changes -= 1) {
      const added = this.pick([
        [],
        [this.createOrdinaryField()],
        [this.createField('Connection', this.pick(['X-A', 'close', 'keep-alive, Cookie', 'te']))],
      ]);
      lines.splice(this.random(lines.length + 1), this.random(2), ...added);
    }
    return firstLine + lines.join('') + request.slice(end + 2);
  }

  createResponse(): string {
    const interim = this.pickMostly(8, '', [
      'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n',
      'HTTP/1.1 100 Continue\r\n\r\n',
    ]);
    const version = this.pickMostly(15, 'HTTP/1.1', ['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'http/1.1', 'HTTP/1.', 'ICY']);
    const status = this.pickMostly(4, '200', [
      '204',
      '304',
      '404',
      '500',
      '101',
      '099',
      '000',
      '600',
      '999',
      '20',
      '2000',
      '2 0',
      '-20',
      '205',
      '206',
    ]);
    const reason = this.pickMostly(6, ' OK', [
      '',
      ' ',
      ' caf\xe9',
      ' O\x01K',
      ' tab\t',
      '  OK',
      '\tOK',
      ' O\0K',
      ' O\x7fK',
      'OK',
    ]);
    const space = this.pickMostly(50, ' ', ['  ', '\t', '']);
    const { fields, body } = this.createFraming();
    return this.createMessage(`${interim}${version}${space}${status}${reason}${this.createLineEnd()}`, fields, body);
  }

  /** Replaces, inserts or removes a few bytes in some of the calls. */
  mutate(text: string): Buffer {
    let bytes = text;
    if (this.random(3) === 0) {
      for (let count = this.random(3); count >= 0; count -= 1) {
        const offset = this.random(bytes.length + 1);
        const removed = this.random(2);
        const added = this.random(3) === 0 ? '' : (SPECIAL_BYTES[this.random(SPECIAL_BYTES.length)] ?? '');
        bytes = bytes.slice(0, offset) + added + bytes.slice(offset + removed);
      }
    }
    return Buffer.from(bytes, 'latin1');
  }

  /** Cuts bytes into segments at random positions. */
  splitIntoSegments(bytes: Buffer): Buffer[] {
    const pieces: Buffer[] = [];
    const cuts = this.random(4) === 0 ? 1 + this.random(8) : 0;
    let remaining = bytes;
    for (let count = 0; count < cuts && remaining.length > 1; count += 1) {
      const length = 1 + this.random(remaining.length - 1);
      pieces.push(Buffer.from(remaining.subarray(0, length)));
      remaining = remaining.subarray(length);
    }
    return [...pieces, Buffer.from(remaining)];
  }
}
