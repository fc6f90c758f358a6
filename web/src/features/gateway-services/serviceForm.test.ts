import { toPolicyInput, toSlug } from './serviceForm';

const policies = {
  extraHosts: '',
  healthPath: '',
  timeoutSeconds: '60',
  maxBodyMb: '100',
  cors: '',
  corsHeaders: '',
  corsCredentials: false,
  corsMaxAge: '600',
};

describe('the form of a service', () => {
  test('turns a typed text into a valid name, also while it is typed', () => {
    expect(toSlug('Pedidos & Você')).toBe('pedidos-voce');
    expect([...'Pedidos & Você'].reduce((typed, letter) => toSlug(typed + letter), '')).toBe('pedidos-voce');
    expect(toSlug('a--b')).toBe('a--b');
    expect(toSlug(' -Loja_1 ')).toBe('loja_1-');
  });

  test('sends null for an empty path and for empty CORS', () => {
    const input = { extraHosts: [], healthPath: null, timeoutSeconds: 60, maxBodyMb: 100, cors: null };
    expect(toPolicyInput(policies)).toEqual(input);
  });

  test('splits lists at line breaks and commas', () => {
    expect(
      toPolicyInput({ ...policies, extraHosts: 'a:1\n\nb:2', cors: 'https://a.example, https://b.example' }),
    ).toMatchObject({
      extraHosts: ['http://a:1', 'http://b:2'],
      cors: { origins: ['https://a.example', 'https://b.example'], headers: [] },
    });
  });
});
