import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type GraphQLField, type GraphQLOutputType, getNamedType, isObjectType } from 'graphql';

const schema = buildSchema(readFileSync(join(__dirname, '../../../schema.graphql'), 'utf8'));

const printSelection = (type: GraphQLOutputType): string => {
  const namedType = getNamedType(type);
  if (!isObjectType(namedType)) return '';
  const fields = Object.values(namedType.getFields()).map((field) => `${field.name}${printSelection(field.type)}`);
  return ` { ${fields.join(' ')} }`;
};

const printDocument = (operation: 'query' | 'mutation', field: GraphQLField<unknown, unknown>): string => {
  const variables = field.args.map(({ name, type }) => `$${name}: ${type}`);
  const values = field.args.map(({ name }) => `${name}: $${name}`);
  const printList = (items: string[]) => (items.length > 0 ? `(${items.join(', ')})` : '');
  return `${operation}${printList(variables)} { ${field.name}${printList(values)}${printSelection(field.type)} }`;
};

const listDocuments = (operation: 'query' | 'mutation') => {
  const type = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  return Object.values(type?.getFields() ?? {}).map((field): [string, string] => [
    field.name,
    printDocument(operation, field),
  ]);
};

/** A document for every field of `Query` and `Mutation`, with all arguments and all fields below it. */
export const documentsByField: ReadonlyMap<string, string> = new Map([
  ...listDocuments('query'),
  ...listDocuments('mutation'),
]);
