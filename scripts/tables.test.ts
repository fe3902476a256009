import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const server = resolve(import.meta.dirname, '../apps/server/src')
const read = (file: string) => readFileSync(join(server, file), 'utf8')

const tables = new Set([...read('db/tables.gen.ts').matchAll(/^ {2}(\w+): \{$/gm)].map(([, name = '']) => name))

interface Named {
  table: string
  writes: boolean
}

const writing = /^(insertInto|updateTable|deleteFrom|into|update|delete from)$/i
const clause = /\b(delete from|from|join|into|update|using)\s+(?:only\s+)?"?(\w+)/gi
const builder =
  /\b(selectFrom|insertInto|updateTable|deleteFrom|from|using|(?:inner|left|right|full|cross)Join(?:Lateral)?)\(\s*(\[[^\]]*\]|'[^']*')/g

/** The text of SQL templates, without the inserted values. */
function* templates(text: string): Iterable<string> {
  for (const { 0: opened, index } of text.matchAll(/\bsql(?:<[^`]*?>)?`/g)) {
    let [said, depth] = ['', 0]
    for (let at = index + opened.length; at < text.length; at++) {
      if (depth === 0 && text[at] === '`') break
      if (text.startsWith('${', at)) depth++
      if (depth === 0) said += text[at]
      if (depth > 0 && text[at] === '}' && --depth === 0) said += '?'
    }
    yield said
  }
}

/** The tables named in a source. */
export const namedIn = (text: string): Named[] =>
  [
    ...[...text.matchAll(builder)].flatMap(([, how = '', of = '']) =>
      [...of.matchAll(/'(\w+)/g)].map(([, table = '']) => ({ table, writes: writing.test(how) })),
    ),
    ...[...templates(text)].flatMap((sql) =>
      [...sql.matchAll(clause)].map(([, how = '', table = '']) => ({ table, writes: writing.test(how) })),
    ),
  ].filter(({ table }) => tables.has(table))

const sources = globSync('domains/**/*.ts', { cwd: server }).filter((file) => !file.endsWith('.test.ts'))
const domainOf = (file: string) => file.split('/')[1] ?? ''

/** Tables of other domains that a domain may name, and why. */
const allowed: { domain: string; table: string; writes?: true; because: string }[] = [
  { domain: '*', table: 'team', because: 'what is stored belongs to a team: lists show, sort and find by its name' },
  {
    domain: '*',
    table: 'account',
    because: 'who did something is shown by name; identity reads the row with each call',
  },
  { domain: 'auth', table: 'account', writes: true, because: 'what proves who somebody is, is in their row' },
  { domain: 'decisions', table: 'account', writes: true, because: 'mail_decisions is its column' },
  { domain: 'news', table: 'account', writes: true, because: 'read_version is its column' },
  { domain: 'harbor', table: 'registry', writes: true, because: 'a row with a harbor_id is what its rounds make' },
  { domain: 'products', table: 'blueprint', writes: true, because: 'a product is copied with its versions' },
]

/** Owners that the writes do not tell. A table that no domain writes belongs to the frame and is open to all. */
const others: Record<string, string> = { account: 'users', blueprint: 'blueprints', registry: 'images' }

function trespasses(files: readonly { file: string; text: string }[]): string[] {
  const named = files.flatMap(({ file, text }) =>
    namedIn(text).map((one) => ({ file, domain: domainOf(file), ...one })),
  )
  const writers = Map.groupBy(
    named.filter(({ writes }) => writes),
    ({ table }) => table,
  )
  const ownerOf = (table: string) => others[table] ?? writers.get(table)?.[0]?.domain
  return named.flatMap(({ file, domain, table, writes }) => {
    const owner = ownerOf(table)
    const mayBe = allowed.some(
      (one) => [domain, '*'].includes(one.domain) && one.table === table && (one.writes === true || !writes),
    )
    return owner === undefined || owner === domain || mayBe ? [] : [`${file}: ${table} of ${owner}`]
  })
}

const stored = sources.map((file) => ({ file, text: read(file) }))

test('a domain names no table of another domain: it joins what public.read.ts offers', () => {
  expect(stored.length).toBeGreaterThan(600)
  expect(trespasses(stored)).toEqual([])
})

test('finds a table of another domain in every form of query', () => {
  const planted = (text: string) => trespasses([...stored, { file: 'domains/news/planted.store.ts', text }])
  expect(planted(`db.selectFrom('stack')`)).toEqual(['domains/news/planted.store.ts: stack of stacks'])
  expect(planted(`db.selectFrom('news').innerJoin('service as s', 's.id', 'x')`)).toHaveLength(1)
  expect(planted('sql<{ id: number; at: string }>`select ${of} from ${rows} a join build b on true`')).toHaveLength(1)
  expect(planted('sql`update team set name = 1`')).toHaveLength(1)
  expect(planted('sql`select from team join account on true`')).toEqual([])
})

test('every exception is needed', () => {
  const used = new Set(
    stored.flatMap(({ file, text }) =>
      namedIn(text).flatMap(({ table, writes }) => [`* ${table}`, `${domainOf(file)} ${table}${writes ? ' w' : ''}`]),
    ),
  )
  expect(allowed.filter(({ domain, table, writes }) => !used.has(`${domain} ${table}${writes ? ' w' : ''}`))).toEqual(
    [],
  )
})

/** Stores and read models; the files of the search and of decisions are read models of their own. */
const holdsSql = /\.(store|read|search|decisions)\.ts$/
/** The rows that wait for a reconciler are declared beside the reconciler. */
const declared = /rowsToReconcile<[\s\S]*?\n\}\)/g
const spoken = /\bsql(<[^`]*?>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/
const speaksSql = (text: string): boolean => spoken.test(text.replace(declared, ''))

const outsideStores = (files: readonly { file: string; text: string }[]): string[] =>
  files.flatMap(({ file, text }) => (holdsSql.test(file) || !speaksSql(text) ? [] : [file]))

test('only stores and read models contain SQL', () => {
  expect(outsideStores(stored)).toEqual([])
})

test('finds SQL elsewhere', () => {
  const planted = (text: string) => outsideStores([{ file: 'domains/news/news.service.ts', text }])
  expect(planted(`await ctx.db.selectFrom('team').execute()`)).toHaveLength(1)
  expect(planted('sql<number>`now()`')).toHaveLength(1)
  expect(planted('await teamsOf(ctx.db, ids)')).toEqual([])
})
