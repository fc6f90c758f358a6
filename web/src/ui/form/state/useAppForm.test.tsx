import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { array, check, forward, object, pipe, string } from 'valibot';
import { listUnsavedForms } from '../../../lib/forms/unsavedForms';
import { useNotification } from '../../../lib/notifications/notification';
import { startSession } from '../../../lib/session/session';
import { requiredText } from '../schema/schemas';
import type { Versioned } from './conflict';
import { type AppFormOptions, useAppForm } from './useAppForm';

const EMPTY = { name: '', port: '', tags: ['a'] };
const FILLED = { ...EMPTY, name: 'Loja', port: '80' };
const KEY = 'draft:things:novo';
const schema = object({
  name: requiredText('Falta o nome.'),
  port: requiredText('Falta a porta.'),
  tags: array(string()),
});

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

type Options = Partial<AppFormOptions<typeof EMPTY, typeof EMPTY & Versioned, unknown>>;
const useTestForm = (options: Options) =>
  useAppForm({
    schema,
    draft: 'things:novo',
    initial: EMPTY,
    send: async () => undefined,
    failureMessage: 'Falhou.',
    ...options,
  });
const renderForm = (options: Options = {}) => renderHook(() => useTestForm(options));

test('a form that closes after its save sends once, even if its button is tapped twice', async () => {
  const send = jest.fn(async () => undefined);
  const { result } = renderForm({ initial: FILLED, send, onSaved: () => undefined });
  await act(async () => result.current.submit());
  await act(async () => result.current.submit());
  expect(send).toHaveBeenCalledTimes(1);
  act(() => result.current.change({ name: 'Outra loja' }));
  await act(async () => result.current.submit());
  expect(send).toHaveBeenCalledTimes(2);
});

describe('a draft', () => {
  test('restores typed values after the form was unmounted', () => {
    const firstForm = renderForm();
    act(() => firstForm.result.current.change({ name: 'Loja' }));
    firstForm.unmount();
    expect(renderForm().result.current.getValues()).toEqual({ ...EMPTY, name: 'Loja' });
  });

  test('restores only fields that the form has, and only values of the right type', () => {
    const values = { name: 7, port: '80', gone: 'x' };
    sessionStorage.setItem(KEY, JSON.stringify({ account: '', base: EMPTY, values }));
    expect(renderForm().result.current.getValues()).toEqual({ ...EMPTY, port: '80' });
  });

  test('is announced when it is restored, and removed when it is discarded', () => {
    const firstForm = renderForm();
    expect(firstForm.result.current.restored).toBeNull();
    act(() => firstForm.result.current.change({ name: 'Loja' }));
    firstForm.unmount();
    const { result } = renderForm();
    expect(result.current.restored).toMatchObject({ isOutdated: false });
    act(() => void result.current.restored?.onDiscard());
    expect(result.current.getValues()).toEqual(EMPTY);
    expect(result.current.restored).toBeNull();
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });

  test('restores only typed fields, and is outdated if the saved value of a typed field has changed', () => {
    const firstForm = renderForm({ initial: { ...EMPTY, name: 'Loja', port: '80' } });
    act(() => firstForm.result.current.change({ name: 'Loja nova' }));
    firstForm.unmount();
    const laterForm = renderForm({ initial: { ...EMPTY, name: 'Loja', port: '81' } });
    expect(laterForm.result.current.getValues()).toMatchObject({ name: 'Loja nova', port: '81' });
    expect(laterForm.result.current.restored).toMatchObject({ isOutdated: false });
    laterForm.unmount();
    sessionStorage.setItem(
      KEY,
      JSON.stringify({ account: '', base: { ...EMPTY, name: 'Loja' }, values: { ...EMPTY, name: 'Loja nova' } }),
    );
    const renamedForm = renderForm({ initial: { ...EMPTY, name: 'Outra' } });
    expect(renamedForm.result.current.getValues().name).toBe('Loja nova');
    expect(renamedForm.result.current.restored).toMatchObject({ isOutdated: true });
  });

  test('is restored only for the account that typed it', () => {
    startSession('a', 'ana');
    const firstForm = renderForm();
    act(() => firstForm.result.current.change({ name: 'Loja' }));
    firstForm.unmount();
    startSession('b', 'bruno');
    expect(renderForm().result.current.getValues()).toEqual(EMPTY);
  });

  test('is stored only if the form gives it a name', () => {
    const { result } = renderForm({ draft: undefined });
    act(() => result.current.change({ name: 'segredo' }));
    expect(sessionStorage).toHaveLength(0);
  });

  test('is removed when the change is undone, and the form then does not count as unsaved', () => {
    const { result } = renderForm();
    act(() => result.current.change({ name: 'Loja' }));
    expect(listUnsavedForms({ changesScreen: false })).toHaveLength(1);
    act(() => result.current.change({ name: '' }));
    expect(listUnsavedForms({ changesScreen: false })).toHaveLength(0);
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });

  test('of a form on a page counts as unsaved only if path or tab changes, and a discard resets the form', () => {
    const { result } = renderForm({ scope: 'page' });
    act(() => result.current.change({ name: 'Loja' }));
    expect(listUnsavedForms({ changesScreen: false })).toHaveLength(0);
    act(() => {
      for (const unsavedForm of listUnsavedForms({ changesScreen: true })) unsavedForm.discard();
    });
    expect(result.current.getValues()).toEqual(EMPTY);
    expect(listUnsavedForms({ changesScreen: true })).toHaveLength(0);
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });
});

test('a text field renders its form at a keystroke only while the form watches the field', () => {
  let renders = 0;
  const TwoFields = () => {
    renders += 1;
    const { text, watch } = useTestForm({});
    const { label: _name, hint: _hint, error: _error, ...name } = text('name', { name: 'Nome' });
    const { label: _port, hint: _portHint, error: _portError, ...port } = text('port', { port: 'Porta' });
    return (
      <>
        <input aria-label="Nome" {...name} />
        <input aria-label="Porta" {...port} />
        <output>{watch('port')}</output>
      </>
    );
  };
  render(<TwoFields />);
  fireEvent.change(screen.getByLabelText('Nome'), { target: { value: 'L' } });
  renders = 0;
  fireEvent.change(screen.getByLabelText('Nome'), { target: { value: 'Lo' } });
  expect(renders).toBe(0);
  fireEvent.change(screen.getByLabelText('Porta'), { target: { value: '80' } });
  expect(screen.getByRole('status').textContent).toBe('80');
});

describe('the errors of a form', () => {
  test('disappear from a field that changes, and stay at the other fields', async () => {
    const { result } = renderForm();
    await act(async () => result.current.submit());
    expect(result.current.errors).toEqual({ name: 'Falta o nome.', port: 'Falta a porta.' });
    act(() => result.current.change({ name: 'L' }));
    expect(result.current.errors).toEqual({ port: 'Falta a porta.' });
  });

  test('disappear from a field when text is typed into it', async () => {
    const NameForm = () => {
      const { text, watch, submit } = useTestForm({});
      const { label, hint: _hint, error, ...name } = text('name', { name: 'Nome' });
      return (
        <form onSubmit={submit}>
          <input aria-label={label} {...name} />
          <output>{`${watch('name')} ${error ?? 'ok'}`}</output>
          <button type="button" onClick={submit}>
            Salvar
          </button>
        </form>
      );
    };
    render(<NameForm />);
    await act(async () => fireEvent.click(screen.getByRole('button')));
    expect(screen.getByRole('status').textContent).toBe(' Falta o nome.');
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Loja' } });
    expect(screen.getByRole('status').textContent).toBe('Loja ok');
  });

  test('appear all at once, including errors of checks that compare fields', async () => {
    const comparingSchema = pipe(
      schema,
      forward(
        check(({ tags }) => tags.length > 1, 'Falta uma etiqueta.'),
        ['tags'],
      ),
    );
    const { result } = renderForm({ schema: comparingSchema });
    await act(async () => result.current.submit());
    expect(Object.keys(result.current.errors)).toEqual(['name', 'port', 'tags']);
  });

  test('keep an invalid form from being sent, and appear with the message of `onInvalid`', async () => {
    const send = jest.fn(async () => undefined);
    const { result } = renderForm({ send, onInvalid: () => 'Faltam campos.' });
    await act(async () => result.current.submit());
    expect(send).not.toHaveBeenCalled();
    expect(result.current.failure).toEqual({ message: 'Faltam campos.' });
  });

  test('include a refusal by the server only at its field, without an alert or a notification', async () => {
    const error = { errors: [{ extensions: { error: 'Já existe.', fields: { 'owner.name': 'Já existe.' } } }] };
    const options = { initial: FILLED, isFailureNotified: true, send: () => Promise.reject(error) };
    const { result } = renderForm(options);
    await act(async () => result.current.submit());
    expect(result.current).toMatchObject({ isPending: false, failure: null, errors: { name: 'Já existe.' } });
    expect(renderHook(useNotification).result.current).toBeNull();
  });

  test('include the details and the DNS record of a refusal, beside the message at its field', async () => {
    const record = { type: 'TXT', name: '_studio-proof.a.com.br', value: 'x' };
    const extensions = { error: 'Recusado.', details: 'Crie o registro.', fields: { name: 'Recusado.' }, record };
    const { result } = renderForm({ initial: FILLED, send: () => Promise.reject({ errors: [{ extensions }] }) });
    await act(async () => result.current.submit());
    expect(result.current.failure).toEqual({ message: 'Recusado.', note: 'Crie o registro.', record });
  });

  test('include a failure without a field until a value changes', async () => {
    const error = { errors: [{ extensions: { error: 'Sem espaço.' } }] };
    const { result } = renderForm({ initial: FILLED, send: () => Promise.reject(error) });
    await act(async () => result.current.submit());
    expect(result.current.failure).toMatchObject({ message: 'Sem espaço.' });
    act(() => result.current.change({ name: 'Outro' }));
    expect(result.current.failure).toBeNull();
  });
});

describe('saving a form', () => {
  test('sends the typed values, and leaves nothing unsaved when `onSaved` is called', async () => {
    const send = jest.fn(async () => undefined);
    const unsavedCounts: number[] = [];
    const { result } = renderForm({
      send,
      onSaved: () => unsavedCounts.push(listUnsavedForms({ changesScreen: true }).length),
    });
    act(() => result.current.change(FILLED));
    await act(async () => result.current.submit());
    expect(send).toHaveBeenCalledWith(FILLED, undefined);
    expect(unsavedCounts).toEqual([0]);
    expect(result.current.getValues()).toEqual(FILLED);
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });

  test('sends once, however often the button is pressed', async () => {
    const send = jest.fn(() => new Promise<void>(() => undefined));
    const { result } = renderForm({ initial: FILLED, send });
    await act(async () => {
      result.current.submit();
      result.current.submit();
    });
    expect(send).toHaveBeenCalledTimes(1);
    expect(result.current.isPending).toBe(true);
  });

  test('shows the initial values again if `onSaved` resets the form', async () => {
    const { result } = renderForm({ onSaved: () => result.current.reset(EMPTY) });
    act(() => result.current.change(FILLED));
    await act(async () => result.current.submit());
    expect(result.current.getValues()).toEqual(EMPTY);
    expect(listUnsavedForms({ changesScreen: true })).toHaveLength(0);
  });

  test('keeps the typed values and their draft if the send fails', async () => {
    const { result } = renderForm({ send: () => Promise.reject(new Error('offline')) });
    act(() => result.current.change(FILLED));
    await act(async () => result.current.submit());
    expect(result.current.failure).toEqual({ message: 'Falhou.' });
    expect(result.current.getValues()).toEqual(FILLED);
    expect(listUnsavedForms({ changesScreen: true })).toHaveLength(1);
    expect(sessionStorage.getItem(KEY)).not.toBeNull();
  });
});

describe('a conflict with another person', () => {
  const OUTDATED = { errors: [{ extensions: { code: 'PRECONDITION_FAILED' } }] };
  const LABELS = { name: 'Nome', port: 'Porta', tags: 'Etiquetas' };
  /** A `send` that refuses every version except `current`. */
  const sendIfVersion = (current: number) =>
    jest.fn(async (_values: typeof EMPTY, version: number | undefined) => {
      if (version !== current) throw OUTDATED;
    });
  const createEditedEntity = (theirs: typeof EMPTY) => ({
    row: { ...FILLED, version: 1 },
    read: async () => ({ ...theirs, version: 2 }),
    toValues: ({ name, port, tags }: typeof EMPTY) => ({ name, port, tags }),
    labels: LABELS,
  });

  test('lists the changes of the other person, and a merge overwrites only fields that the user changed', async () => {
    const send = sendIfVersion(2);
    const theirs = { name: 'Deles', port: '81', tags: ['b', 'c'] };
    const { result } = renderForm({ initial: FILLED, send, editedEntity: createEditedEntity(theirs) });
    act(() => result.current.change({ name: 'Minha' }));
    await act(async () => result.current.submit());
    expect(result.current.conflict?.differences).toEqual([
      { field: 'name', label: 'Nome', before: 'Loja', theirs: 'Deles', mine: 'Minha' },
      { field: 'port', label: 'Porta', before: '80', theirs: '81', mine: null },
      { field: 'tags', label: 'Etiquetas', before: 'a', theirs: 'b, c', mine: null },
    ]);
    await act(async () => result.current.conflict?.onKeepMine());
    expect(send).toHaveBeenLastCalledWith({ name: 'Minha', port: '81', tags: ['b', 'c'] }, 2);
  });

  test('can be resolved with all values of the other person', async () => {
    const theirs = { ...FILLED, port: '81' };
    const send = sendIfVersion(2);
    const { result } = renderForm({ initial: FILLED, send, editedEntity: createEditedEntity(theirs) });
    act(() => result.current.change({ name: 'Minha' }));
    await act(async () => result.current.submit());
    act(() => result.current.conflict?.onKeepTheirs());
    expect(result.current.getValues()).toEqual(theirs);
    expect(result.current.conflict).toBeNull();
    expect(listUnsavedForms({ changesScreen: true })).toHaveLength(0);
  });

  test('is not shown if the other person changed no field of the form', async () => {
    const send = sendIfVersion(2);
    const { result } = renderForm({ initial: FILLED, send, editedEntity: createEditedEntity(FILLED) });
    act(() => result.current.change({ name: 'Minha' }));
    await act(async () => result.current.submit());
    expect(send).toHaveBeenLastCalledWith({ ...FILLED, name: 'Minha' }, 2);
    expect(result.current.conflict).toBeNull();
  });
});
