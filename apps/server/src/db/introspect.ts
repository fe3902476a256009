import { Client } from 'pg'

const typeNames: Record<string, string> = {
  int2: 'number',
  int4: 'number',
  int4multirange: 'string',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'string',
  bool: 'boolean',
  text: 'string',
  varchar: 'string',
  uuid: 'string',
  inet: 'string',
  date: 'string',
  xid8: 'string',
  bytea: 'Buffer',
  timestamptz: 'Time',
  jsonb: 'Json',
  json: 'Written',
}

interface Column {
  table: string
  name: string
  type: string
  nullable: boolean
  defaulted: boolean
  always: boolean
  checks: string[]
}

const columnsQuery = `
  select c.relname as "table", a.attname as name, t.typname as type, not a.attnotnull as nullable,
    a.atthasdef or a.attidentity <> '' as defaulted,
    a.attidentity = 'a' or a.attgenerated <> '' as always,
    array(select pg_get_constraintdef(k.oid) from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as checks
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migration'
  order by c.relname collate "C", a.attnum`

/** Turns `check (state in ('a', 'b'))`, as PostgreSQL prints it, into 'a' | 'b'. */
function union(checks: string[]): string | undefined {
  for (const check of checks) {
    const list = /= ANY \(\(?ARRAY\[([^\]]*)\]/.exec(check)?.[1]
    if (list) return [...list.matchAll(/'((?:[^']|'')*)'::/g)].map(([, word]) => `'${word}'`).join(' | ')
  }
  return undefined
}

function typeOf(column: Column): string {
  const array = column.type.startsWith('_')
  const base = typeNames[array ? column.type.slice(1) : column.type]
  if (!base) throw new Error(`${column.table}.${column.name}: give introspect.ts a TypeScript type for ${column.type}`)
  const one = (column.type === 'text' && union(column.checks)) || base
  const whole = (array ? `${one}[]` : one) + (column.nullable ? ' | null' : '')
  if (column.always) return `GeneratedAlways<${whole}>`
  if (one === 'Time' || one === 'Json' || one === 'Written') {
    const name = `${column.nullable ? 'Nullable' : ''}${one}`
    return column.defaulted && !column.nullable ? `Defaulted<${name}>` : name
  }
  return column.defaulted ? `Generated<${whole}>` : whole
}

const header = `// Made from the migrations by \`npm run gen\`. Do not edit.
import type { ColumnType, Generated, GeneratedAlways, Kysely } from 'kysely'
import type { AsWritten, Jsonb } from './json.ts'

/** Read as ISO 8601 in UTC. */
type Time = ColumnType<string, Date | string, Date | string>
type NullableTime = ColumnType<string | null, Date | string | null | undefined, Date | string | null>

/** Written with jsonb(); read as unknown, because only the store knows the type. */
type Json = ColumnType<unknown, Jsonb, Jsonb>
type NullableJson = ColumnType<unknown, Jsonb | null | undefined, Jsonb | null>

/** Written with asWritten(): keys keep their order. */
type Written = ColumnType<unknown, AsWritten, AsWritten>
type NullableWritten = ColumnType<unknown, AsWritten | null | undefined, AsWritten | null>

type Defaulted<C> = C extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : never
`

/** The source of tables.gen.ts, for the schema of a migrated database. */
export async function describeTables(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Column>(columnsQuery)
    const tables = Map.groupBy(rows, (row) => row.table)
    const body = [...tables].map(
      ([table, columns]) => `  ${table}: {\n${columns.map((c) => `    ${c.name}: ${typeOf(c)}\n`).join('')}  }\n`,
    )
    return `${header}\nexport type Db = Kysely<Tables>\n\nexport interface Tables {\n${body.join('')}}\n`
  } finally {
    await client.end()
  }
}
