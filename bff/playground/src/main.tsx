import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './playground.css';
import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { messages } from './messages';

/** The token that the console stores (product §9). */
const sessionToken = localStorage.getItem('token');

/** GraphiQL with the console's session token, or with an API token, which is kept in memory only. */
function Playground() {
  const [apiToken, setApiToken] = useState('');
  const token = apiToken || sessionToken;
  return (
    <div className="page">
      <form
        className="token"
        onSubmit={(event) => {
          event.preventDefault();
          setApiToken(String(new FormData(event.currentTarget).get('token') ?? '').trim());
        }}
      >
        <label>
          {messages.token} <input name="token" type="password" autoComplete="off" placeholder={messages.placeholder} />
        </label>
        <button type="submit">{messages.use}</button>
        {!token && (
          <p>
            {messages.signedOut} <a href="/login">{messages.signIn}</a>
          </p>
        )}
      </form>
      {token && (
        <GraphiQL
          // React remounts GraphiQL for another token, because the introspection of the schema depends on the token.
          key={token}
          fetcher={createGraphiQLFetcher({ url: '/graphql', headers: { Authorization: `Bearer ${token}` } })}
          isHeadersEditorEnabled={false}
          shouldPersistHeaders={false}
        />
      )}
    </div>
  );
}

const container = document.getElementById('playground');
if (!container) throw new Error('the page lacks #playground');

createRoot(container).render(<Playground />);
