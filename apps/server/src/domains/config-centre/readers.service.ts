import type { ConfigReader } from '@gantry/contract/config-centre/readers'
import type { List } from '@gantry/contract/paging'
import { ServiceType } from '@gantry/contract/stacks/spec'
import { sorting } from '../../db/list.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { toList, page } from '../../kernel/paging.ts'
import { applyAgain } from '../stacks/public.ts'
import { type Holder, holdersOf, listReaders, type ReaderFilter } from './readers.store.ts'
import { mustConfigure, newestVersion } from './use.service.ts'

/** Maximum of services that a refusal names. */
const maxNamed = 5

/** States in which the pods of a service are those of its last apply. */
const settled = new Set(['stable', 'stopped', 'upgraded'])

type Query = ReaderFilter & { keyword?: string | undefined; sort?: string | undefined } & Parameters<typeof page>[0]

export async function readReaders(
  ctx: Ctx,
  teamId: number,
  { project, profile, template, keyword = '', sort, ...paging }: Query,
): Promise<List<ConfigReader>> {
  const at = page(paging)
  const order = sorting(sort, ['stack', 'service', 'project', 'cluster'])
  const { items, total } = await listReaders(ctx.db, teamId, { project, profile, template, keyword }, order, at)
  const newest = new Map<string, string>()
  for (const { configuration } of items) {
    const key = JSON.stringify(configuration)
    if (!newest.has(key)) newest.set(key, await newestVersion(ctx, teamId, configuration))
  }
  const rows = items.map(({ configuration, version, type, ...row }): ConfigReader => ({
    ...row,
    type: ServiceType.parse(type),
    project: configuration.project,
    profile: configuration.profile,
    env: configuration.env,
    templates: configuration.templates.map((one) => one.template),
    current: settled.has(row.state) && version === newest.get(JSON.stringify(configuration)),
  }))
  return toList(rows, total, at)
}

/** Throws 409 with the services that read it, or would read it after a rollback. */
export async function mustBeUnread(
  ctx: Ctx,
  teamId: number,
  sought: ReaderFilter,
  phrase: 'config-in-use' | 'config-name-in-use',
  name: string,
): Promise<void> {
  const holders = await holdersOf(ctx.db, teamId, sought)
  if (holders.length === 0) return
  const names = holders.slice(0, maxNamed).map((one) => one.name)
  throw new Fault('conflict', phrase, { name, count: holders.length, services: names.join(', ') })
}

/** A job is not repeated because a value has changed. */
const follows = ({ spec }: Holder): boolean => spec.workload !== 'job'

/**
 * Applies the services that read it again. They are locked before it, in the same order as when a service begins to
 * read it; the caller must call `mustStillRun` with the result once it holds its own lock.
 */
export async function rollOut(ctx: Ctx, teamId: number, sought: ReaderFilter): Promise<Holder[]> {
  const holders = await holdersOf(ctx.db, teamId, sought)
  await applyAgain(
    ctx,
    holders.filter(follows).map(({ id }) => id),
  )
  return holders
}

/** Throws 409 if a service cannot run with the change, or has begun to read it meanwhile. */
export async function mustStillRun(
  ctx: Ctx,
  teamId: number,
  sought: ReaderFilter,
  known: readonly Holder[],
): Promise<void> {
  for (const { id, name, spec, previous } of await holdersOf(ctx.db, teamId, sought)) {
    if (!known.some((one) => one.id === id)) throw new Fault('conflict', 'config-read-meanwhile', { service: name })
    await mustConfigure(ctx, teamId, spec, name)
    if (previous) await mustConfigure(ctx, teamId, previous, name)
  }
}
