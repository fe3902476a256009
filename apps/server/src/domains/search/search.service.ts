import type { PermissionKey } from '@gantry/contract/permission-keys.gen'
import { searchCap, searchKindCap, type SearchHit, type SearchKind } from '@gantry/contract/search/search'
import { type Found, limitStatements, type Source, type Wanted } from '../../db/search.ts'
import { holds, holdsSystem, teamsHolding } from '../../identity/access.ts'
import type { Ctx } from '../../kernel/context.ts'
import { findModules } from '../../module.ts'
import { buildNumber, wordsOf } from './wanted.ts'

const sources = async (): Promise<Source[]> => (await findModules()).flatMap(({ search }) => search ?? [])

/** Time limit of a source; if it is exceeded, the answer names its kind as unread. */
const sourceMs = 1500
/** Maximum of pool connections for one search. */
const atOnce = 2

/** Among equals, the kinds that users look for most come first. */
const order: readonly SearchKind[] = [
  'build',
  'pipeline',
  'service',
  'stack',
  'product',
  'pipeline-group',
  'image',
  'dockerfile',
  'config-project',
  'helm-release',
  'registry',
  'cluster',
  'team',
  'user',
  'agent',
]

interface Task {
  source: Source
  wanted: Wanted
}

export async function findThings(ctx: Ctx, text: string) {
  const tasks = await tasksOf(ctx, text)
  const unread: SearchKind[] = []
  const found: Found[] = []
  const worker = async () => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      ctx.signal.throwIfAborted()
      const rows = await run(ctx, task)
      if (rows === undefined) unread.push(task.source.kind)
      else found.push(...rows)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const items = await viewable(ctx, await sources(), best(found))
  return { items, more: items.length < found.length, unread }
}

async function tasksOf(ctx: Ctx, text: string): Promise<Task[]> {
  const all = (await sources()).filter(({ needs }) => needs !== 'admin' || ctx.actor.admin)
  const permitted = await teamsHolding(
    ctx,
    all.map(({ needs }) => (needs === 'admin' ? [] : needs)),
  )
  const common = {
    text,
    words: wordsOf(text),
    number: buildNumber(text),
    current: ctx.tenantId,
    limit: searchKindCap + 1,
  }
  return all.flatMap((source, at) => {
    const teams = permitted[at]
    return teams?.length === 0 ? [] : [{ source, wanted: { ...common, teams } }]
  })
}

/** Undefined if the source took too long. */
const run = (ctx: Ctx, { source, wanted }: Task): Promise<Found[] | undefined> =>
  ctx.db
    .transaction()
    .setAccessMode('read only')
    .execute(async (db) => {
      await limitStatements(db, sourceMs)
      return source.find(db, wanted)
    })
    .catch((error: unknown) => {
      if ((error as { code?: string }).code !== queryCanceled) throw error
      ctx.log.warn({ kind: source.kind }, 'a search took too long')
      return undefined
    })

const queryCanceled = '57014'

/** The best matches first, with a limit per kind, so that no kind displaces the others. */
function best(found: Found[]): SearchHit[] {
  const taken = new Map<SearchKind, number>()
  const sorted = found.toSorted(
    (a, b) =>
      a.rank - b.rank ||
      Number(a.elsewhere) - Number(b.elsewhere) ||
      order.indexOf(a.hit.kind) - order.indexOf(b.hit.kind),
  )
  const kept = sorted.filter(({ hit: { kind } }) => {
    const before = taken.get(kind) ?? 0
    taken.set(kind, before + 1)
    return before < searchKindCap
  })
  return kept.slice(0, searchCap).map(({ hit }) => hit)
}

/** Checks each hit once more like its own page would, so that a source that forgot a condition reveals nothing. */
async function viewable(ctx: Ctx, all: Source[], hits: SearchHit[]): Promise<SearchHit[]> {
  const needs = new Map(all.map((source) => [source.kind, source.needs]))
  const answers = new Map<string, Promise<boolean>>()
  const may = (team: number | undefined, permission: PermissionKey) => {
    const key = `${team} ${permission}`
    const answer =
      answers.get(key) ?? (team === undefined ? holdsSystem(ctx, permission) : holds(ctx, team, permission))
    answers.set(key, answer)
    return answer
  }
  const allowed = await Promise.all(
    hits.map(async ({ kind, team }) => {
      const needed = needs.get(kind) ?? 'admin'
      if (needed === 'admin') return ctx.actor.admin
      return (await Promise.all(needed.map((permission) => may(team?.id, permission)))).every(Boolean)
    }),
  )
  return hits.filter((_, at) => allowed[at])
}
