/**
 * This plugin of GraphQL Code Generator writes strictly typed hooks of Apollo Client 4 for each operation. The hooks use the
 * TypedDocumentNode that the `typed-document-node` plugin writes into the same file. (`typescript-react-apollo` does not
 * type-check against Apollo Client 4.)
 *
 * query X    -> useXQuery(options | skipToken), useXLazyQuery(options?)
 * mutation X -> useXMutation(options?); the mutate function takes the variables, so the compiler requires them
 */
const { concatAST, Kind } = require('graphql');

/** @param {import('graphql').VariableDefinitionNode} variable */
const isRequired = ({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue;

/** @param {import('graphql').OperationDefinitionNode} operation @returns {string[]} */
function printHooks({ name, operation, variableDefinitions = [] }) {
  const kind = operation === 'mutation' ? 'Mutation' : 'Query';
  const document = `${name.value}Document`;
  const data = `${name.value}${kind}`;
  const types = `<${data}, ${data}Variables>`;
  const optional = variableDefinitions.some(isRequired) ? '' : '?';
  const printHook = (suffix, base, options) =>
    `export const use${name.value}${suffix} = (options${options}) => Apollo.${base}(${document}, options);`;
  return operation === 'mutation'
    ? [printHook(kind, 'useMutation', `?: Omit<Apollo.useMutation.Options${types}, 'variables'>`)]
    : [
        printHook(kind, 'useQuery', `${optional}: Apollo.useQuery.Options${types} | Apollo.SkipToken`),
        printHook(`Lazy${kind}`, 'useLazyQuery', `?: Apollo.useLazyQuery.Options${types}`),
      ];
}

module.exports.plugin = (_schema, sources) => {
  const { definitions } = concatAST(sources.map(({ document }) => document));
  const operations = definitions.flatMap((node) => (node.kind === Kind.OPERATION_DEFINITION ? [node] : []));
  return {
    prepend: operations.length > 0 ? ["import * as Apollo from '@apollo/client/react';"] : [],
    content: operations.flatMap(printHooks).join('\n'),
  };
};
