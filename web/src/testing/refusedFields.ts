import { type GenericSchema, safeParse } from 'valibot';

/** Returns the names of the fields that a form's schema refuses. */
export function findRefusedFields<Values>(schema: GenericSchema<Values>, values: Values): string[] {
  const { issues = [] } = safeParse(schema, values);
  return issues.map(({ path }) => String(path?.[0]?.key));
}
