import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kind, parse, print, visit } from 'graphql';

const features = join(import.meta.dirname, '../../web/src/features');

/** What the screens ask for first: file, operation, and its variables as an expression over `q`, the search in the address. */
const SCREENS = {
  '/admin': ['subdomains/subdomains', 'Subdomains', '{page:1,limit:15,search:q||null}'],
  '/tenants': ['tenants/tenants', 'Tenants', '{}'],
  '/projects': ['projects/projects', 'Projects', '{}'],
  '/gateway/keys': ['gateway-keys/gateway-keys', 'ApiKeys', '{}'],
};

/** As the client sends it: with `__typename` everywhere but at the top. */
const withTypenames = (document) =>
  visit(document, {
    SelectionSet: (node, _key, parent) =>
      parent?.kind === Kind.OPERATION_DEFINITION
        ? undefined
        : {
            ...node,
            selections: [...node.selections, { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }],
          },
  });

/** One operation of a document and the fragments that it needs. */
function only(document, name) {
  const wanted = new Map();
  const add = (definition) => {
    if (wanted.has(definition.name.value)) return;
    wanted.set(definition.name.value, definition);
    visit(definition, {
      FragmentSpread: ({ name: spread }) => {
        add(
          document.definitions.find((one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === spread.value),
        );
      },
    });
  };
  add(document.definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION && one.name.value === name));
  return { ...document, definitions: [...wanted.values()] };
}

/**
 * A script for the head of the console's page: asks for what the screen of the address asks first, while the scripts are
 * still on their way. `web/src/app/earlyAnswer.ts` takes the answer.
 */
export async function earlyQueryScript() {
  const entries = await Promise.all(
    Object.entries(SCREENS).map(async ([path, [file, name, variables]]) => {
      const document = parse(await readFile(join(features, `${file}.graphql`), 'utf8'), { noLocation: true });
      const query = print(withTypenames(only(document, name))).replace(/\s+/g, ' ');
      return `${JSON.stringify(path)}:[${JSON.stringify(name)},${variables},${JSON.stringify(query)}]`;
    }),
  );
  return `(function(){var t;try{t=localStorage.getItem("token")}catch(e){}
var q=new URLSearchParams(location.search).get("q"),s={${entries.join(',')}}[location.pathname];
if(!t||!s)return;var a="Bearer "+t;
window.earlyAnswer={operationName:s[0],variables:JSON.stringify(s[1]),authorization:a,response:fetch("/graphql",{method:"POST",
headers:{accept:"application/graphql-response+json,application/json;q=0.9","content-type":"application/json",authorization:a},
body:JSON.stringify({operationName:s[0],variables:s[1],query:s[2]})})};window.earlyAnswer.response.catch(function(){})})()`;
}
