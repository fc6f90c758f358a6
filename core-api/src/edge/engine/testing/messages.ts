/** Generates nearly valid messages from a grammar in which any part may be replaced by text that servers read differently. */
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

const BYTES = '\0\t\n\v\r \x1f"#,/09:;=AZ\\az\x7f\x80\x85\xa0\xff';

export class Messages {
  constructor(private readonly random: Random) {}

  private one<T>(of: readonly T[]): T {
    const found = of[this.random(of.length)];
    if (found === undefined) throw new Error('nothing to choose from');
    return found;
  }

  /** Returns one of `others` in one of `rarely` calls, and `usual` in all others. */
  private mostly(rarely: number, usual: string, others: readonly string[]): string {
    return this.random(rarely) === 0 ? this.one(others) : usual;
  }

  private eol(): string {
    return this.mostly(120, '\r\n', ['\n', '\r', '\r\r\n', '\n\r', '\r\n ', '\r\n\t', ' \r\n', '\0\r\n']);
  }

  private name(usual: string): string {
    const cased = this.random(8) === 0 ? usual.toUpperCase() : usual;
    return this.mostly(80, cased, [
      `${cased} `,
      ` ${cased}`,
      `${cased}\t`,
      '',
      'X\0Y',
      'X Y',
      'X\xe9',
      'X(Y)',
      `\v${cased}`,
      '"q"',
    ]);
  }

  private field(name: string, value: string): string {
    const blank = this.mostly(12, ' ', ['', '  ', '\t', ' \t ', '\r\n ', '\v', '\x85', '\xa0']);
    const after = this.mostly(30, '', [' ', '\t', '\0', '\x7f', '\xa0', '\r', '\n']);
    return `${this.name(name)}:${blank}${value}${after}${this.eol()}`;
  }

  private ordinaryField(): string {
    const value = () =>
      this.one([
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
    return this.one([
      () => this.field('X-Any', value()),
      () => this.field('Accept', '*/*'),
      () => this.field('Cookie', value()),
      () =>
        this.field(
          'Connection',
          this.one(['close', 'keep-alive', 'x-any', 'close, x-any', 'Upgrade', 'CLOSE', '', ',', 'content-length']),
        ),
      () => this.field('TE', this.one(['trailers', 'gzip'])),
      () => this.field('Expect', this.one(['100-continue', '100-Continue', 'else'])),
      () => this.field('Keep-Alive', 'timeout=5'),
      () => this.field('Upgrade', this.one(['websocket', 'h2c'])),
      () => this.field('Date', 'Sat, 21 Nov 2026 10:00:00 GMT'),
    ])();
  }

  private chunkedBody(content: string): string {
    const extension = () =>
      this.mostly(6, '', [
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
    for (let at = 0; at < content.length; ) {
      const size = 1 + this.random(content.length - at);
      const digits = size.toString(16);
      const written = this.mostly(30, this.random(3) === 0 ? digits.toUpperCase() : digits, [
        ...[`0${digits}`, `0x${digits}`, `+${digits}`, `-${digits}`, ` ${digits}`, `${digits} `, '', 'g', `${digits}g`],
        ...['ffffffffffffffff', '10000000000000001', `${'0'.repeat(20)}${digits}`, `${digits}_`],
      ]);
      body += `${written}${extension()}${this.eol()}${content.slice(at, at + size)}${this.eol()}`;
      at += size;
    }
    const trailers = this.random(4) === 0 ? this.field('X-Trailer', '1') : '';
    return `${body}${this.mostly(40, '0', ['00', '0 ', '', '-0', '0000000000000000'])}${extension()}${this.eol()}${trailers}${this.eol()}`;
  }

  private lengthField(length: number): string {
    const value = this.mostly(12, String(length), [
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
    return this.field('Content-Length', value);
  }

  private codingField(): string {
    return this.field(
      'Transfer-Encoding',
      this.mostly(10, 'chunked', [
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
  private framed(): { fields: string[]; body: string } {
    const content = this.one(['', 'a', 'hello', '0\r\n\r\n', 'GET / HTTP/1.1\r\nHost: b\r\n\r\n', 'x'.repeat(70)]);
    switch (this.random(6)) {
      case 0:
      case 1:
        return { fields: [], body: this.random(30) === 0 ? content : '' };
      case 2:
        return { fields: [this.lengthField(content.length)], body: content };
      case 3:
        return { fields: [this.codingField()], body: this.chunkedBody(content) };
      case 4:
        return this.random(6) === 0
          ? {
              fields: [this.lengthField(content.length), this.codingField()],
              body: this.one([content, this.chunkedBody(content)]),
            }
          : { fields: [this.codingField()], body: this.chunkedBody(content) };
      default:
        return this.random(6) === 0
          ? { fields: [this.lengthField(content.length), this.lengthField(content.length)], body: content }
          : { fields: [this.lengthField(content.length)], body: content };
    }
  }

  private withFields(first: string, fields: string[], body: string): string {
    for (let more = this.random(4); more > 0; more -= 1) {
      fields.splice(this.random(fields.length + 1), 0, this.ordinaryField());
    }
    return `${first}${fields.join('')}${this.eol()}${body}`;
  }

  private requestLine(): string {
    const method = this.mostly(6, this.one(['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE']), [
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
    const target = this.mostly(4, this.one(['/', '/a/b?c=d', '/%2f']), [
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
    const version = this.mostly(10, 'HTTP/1.1', [
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
    const space = () => this.mostly(60, ' ', ['  ', '\t', '', '\v', '\xa0']);
    return `${method}${space()}${target}${space()}${version}${this.eol()}`;
  }

  request(): string {
    const host = this.mostly(
      15,
      this.field('Host', this.mostly(10, 'a.b', ['', 'a b', 'a:80', 'a,b', '[::1]', 'a/b', 'u@a', '\xe9'])),
      ['', `${this.field('Host', 'a')}${this.field('Host', 'b')}`],
    );
    const { fields, body } = this.framed();
    const before = this.mostly(40, '', ['\r\n', '\n', '\r\n\r\n', ' ', '\0']);
    return this.withFields(before + this.requestLine(), [host, ...fields], body);
  }

  /** Requests of one client connection. Most repeat the previous header block, except for a line or two. */
  requests(): string {
    const all = [this.request()];
    for (let more = this.random(3); more > 0; more -= 1)
      all.push(this.random(3) === 0 ? this.request() : this.varied(all.at(-1) ?? ''));
    return all.join('');
  }

  /** The same request with a header line changed, removed or added. */
  private varied(request: string): string {
    const end = request.indexOf('\r\n\r\n');
    const [first = '', ...lines] = request.slice(0, end < 0 ? 0 : end + 2).split(/(?<=\r\n)/);
    if (lines.length === 0) return request;
    for (let changes = this.random(3); changes > 0; changes -= 1) {
      const added = this.one([
        [],
        [this.ordinaryField()],
        [this.field('Connection', this.one(['X-A', 'close', 'keep-alive, Cookie', 'te']))],
      ]);
      lines.splice(this.random(lines.length + 1), this.random(2), ...added);
    }
    return first + lines.join('') + request.slice(end + 2);
  }

  response(): string {
    const interim = this.mostly(8, '', [
      'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n',
      'HTTP/1.1 100 Continue\r\n\r\n',
    ]);
    const version = this.mostly(15, 'HTTP/1.1', ['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'http/1.1', 'HTTP/1.', 'ICY']);
    const status = this.mostly(4, '200', [
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
    const reason = this.mostly(6, ' OK', [
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
    const space = this.mostly(50, ' ', ['  ', '\t', '']);
    const { fields, body } = this.framed();
    return this.withFields(`${interim}${version}${space}${status}${reason}${this.eol()}`, fields, body);
  }

  /** Sometimes replaces, inserts or removes a few bytes. */
  mutated(text: string): Buffer {
    let bytes = text;
    if (this.random(3) === 0) {
      for (let count = this.random(3); count >= 0; count -= 1) {
        const at = this.random(bytes.length + 1);
        const removed = this.random(2);
        const added = this.random(3) === 0 ? '' : (BYTES[this.random(BYTES.length)] ?? '');
        bytes = bytes.slice(0, at) + added + bytes.slice(at + removed);
      }
    }
    return Buffer.from(bytes, 'latin1');
  }

  /** Cuts bytes into segments at random positions. */
  segments(bytes: Buffer): Buffer[] {
    const pieces: Buffer[] = [];
    const cuts = this.random(4) === 0 ? 1 + this.random(8) : 0;
    let rest = bytes;
    for (let cut = 0; cut < cuts && rest.length > 1; cut += 1) {
      const at = 1 + this.random(rest.length - 1);
      pieces.push(Buffer.from(rest.subarray(0, at)));
      rest = rest.subarray(at);
    }
    return [...pieces, Buffer.from(rest)];
  }
}
