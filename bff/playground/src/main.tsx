import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './playground.css';
import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';
import { messages } from './messages';

/** Where the console keeps its token (product §9). */
const token = localStorage.getItem('token');

const container = document.getElementById('playground');
if (!container) throw new Error('the page lacks #playground');

createRoot(container).render(
  token ? (
    <GraphiQL
      fetcher={createGraphiQLFetcher({ url: '/graphql', headers: { Authorization: `Bearer ${token}` } })}
      isHeadersEditorEnabled={false}
      shouldPersistHeaders={false}
    />
  ) : (
    <p className="signed-out">
      {messages.signedOut} <a href="/login">{messages.signIn}</a>
    </p>
  ),
);
