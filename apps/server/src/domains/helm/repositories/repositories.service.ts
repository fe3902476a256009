import type {
  HelmRepository,
  HelmRepositoryInput,
  RepositoryKind,
  UsableRepository,
} from '@gantry/contract/helm/repositories'
import { repositoriesTopic } from '@gantry/contract/helm/topics'
import type { List } from '@gantry/contract/paging'
import type { RepositoryAccess } from '../../../adapters/helm/access.ts'
import { brokenConstraint } from '../../../db/constraint.ts'
import { mustHold } from '../../../identity/access.ts'
import { note } from '../../../kernel/audit.ts'
import { isCertificates } from '../../../kernel/certificates.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import type { Page } from '../../../kernel/paging.ts'
import { reasonOf, sayReason } from '../../../kernel/phrase.ts'
import { keepSecret, open, maskSealed } from '../../../kernel/secrets/secrets.ts'
import { replaceCharts } from '../charts/charts.store.ts'
import {
  allRepositories,
  deleteRepository,
  findRepository,
  findUsable,
  insertRepository,
  listRepositories,
  noteProblem,
  releasesFrom,
  type RepositoryRow,
  setTeams,
  type StoredRepository,
  updateRepository,
  usableRepositories,
} from './repositories.store.ts'

const kindOf = (url: string): RepositoryKind => (url.startsWith('oci') ? 'oci' : 'index')

/** Scheme, host and port that credentials are bound to, also for addresses to which URL gives no origin. */
const hostOf = (url: string): string => /^[^:]+:\/\/[^/]+/.exec(url.toLowerCase())?.[0] ?? url

const visible = (ctx: Pick<Ctx, 'lang'>, { problem, ...row }: StoredRepository): HelmRepository => ({
  ...row,
  password: maskSealed(row.password),
  ca: maskSealed(row.ca),
  state: problem === null ? 'ready' : 'failed',
  problem: sayReason(ctx.lang, problem),
})

const nameTaken = (name: string) => new Fault('conflict', 'helm-repository-name-taken', { name })

/** The address and decrypted credentials of a repository. */
export const accessOf = (ctx: Ctx, row: RepositoryRow): RepositoryAccess => ({
  name: row.name,
  url: row.url,
  kind: row.kind,
  username: row.username,
  password: row.password === null ? '' : open(ctx, row.password),
  ca: row.ca === null ? '' : open(ctx, row.ca),
})

function sealed(ctx: Ctx, input: HelmRepositoryInput, before?: StoredRepository): RepositoryRow {
  if (input.ca !== '' && input.ca !== maskSealed(input.ca) && !isCertificates(input.ca))
    throw new Fault('invalid', 'helm-ca-invalid')
  const same = before !== undefined && hostOf(before.url) === hostOf(input.url)
  return {
    name: input.name,
    url: input.url.replace(/\/+$/, ''),
    kind: kindOf(input.url),
    username: input.username,
    password: keepSecret(ctx, input.password, before?.password ?? null, same),
    ca: keepSecret(ctx, input.ca, before?.ca ?? null, same),
  }
}

export async function readRepositories(
  ctx: Ctx,
  query: { keyword?: string | undefined; sort?: string | undefined },
  at: Page,
): Promise<List<HelmRepository>> {
  const found = await listRepositories(ctx.db, { keyword: query.keyword ?? '', sort: query.sort }, at)
  return { ...found, items: found.items.map((row) => visible(ctx, row)) }
}

async function readRepository(ctx: Ctx, id: number): Promise<HelmRepository> {
  const row = mustExist(await findRepository(ctx.db, id))
  return visible(ctx, row)
}

/** Read before it is saved: a wrong address, password or CA stores nothing. */
export async function createRepository(ctx: Ctx, input: HelmRepositoryInput): Promise<HelmRepository> {
  note(ctx, { object: input.name, after: input })
  const row = sealed(ctx, input)
  const charts = await ctx.ports.charts.read(accessOf(ctx, row), ctx.signal)
  return inTx(ctx, async (ctx) => {
    const id = await insertRepository(ctx.db, row).catch(
      brokenConstraint('helm_repository_name', nameTaken(input.name)),
    )
    await replaceCharts(ctx.db, id, charts)
    return readRepository(ctx, id)
  })
}

export async function changeRepository(
  ctx: Ctx,
  { id, revision, ...input }: HelmRepositoryInput & { id: number; revision?: number | undefined },
): Promise<HelmRepository> {
  const before = mustExist(await findRepository(ctx.db, id))
  note(ctx, { object: before.name, before: visible(ctx, before), after: input })
  const stale = () => new Fault('conflict', 'helm-repository-changed', { name: before.name })
  if (revision !== undefined && revision !== before.revision) throw stale()
  const row = sealed(ctx, input, before)
  const charts = await ctx.ports.charts.read(accessOf(ctx, row), ctx.signal)
  return inTx(ctx, async (ctx) => {
    const locked = mustExist(await findRepository(ctx.db, id, { lock: true }))
    // the stored secrets were read with that revision
    if (locked.revision !== before.revision) throw stale()
    await updateRepository(ctx.db, id, row).catch(brokenConstraint('helm_repository_name', nameTaken(input.name)))
    await replaceCharts(ctx.db, id, charts)
    return readRepository(ctx, id)
  })
}

/** Concurrent, so that one that does not answer does not delay the others. */
const readAtOnce = 4

/** Reads a repository again. If that fails, the charts read before stay. */
async function readAgain(ctx: Ctx, row: StoredRepository): Promise<void> {
  try {
    const charts = await ctx.ports.charts.read(accessOf(ctx, row), ctx.signal)
    await inTx(ctx, async (ctx) => {
      const now = await findRepository(ctx.db, row.id, { lock: true })
      // otherwise it was changed meanwhile, and read then
      if (now?.revision === row.revision) await replaceCharts(ctx.db, row.id, charts)
    })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    await noteProblem(ctx.db, row.id, reasonOf(error))
  }
  await publish(ctx, repositoriesTopic, {})
}

export async function readAllRepositories(ctx: Ctx) {
  const left = await allRepositories(ctx.db)
  note(ctx, { object: left.map(({ name }) => name).join(', ') || '–' })
  const next = async (): Promise<void> => {
    for (let row = left.shift(); row; row = left.shift()) await readAgain(ctx, row)
  }
  await Promise.all(Array.from({ length: readAtOnce }, next))
  return (await allRepositories(ctx.db)).map((row) => visible(ctx, row))
}

export const assignRepository = (ctx: Ctx, id: number, teams: number[]): Promise<HelmRepository> =>
  inTx(ctx, async (ctx) => {
    const before = mustExist(await findRepository(ctx.db, id, { lock: true }))
    note(ctx, { object: before.name, before: { teams: before.teams }, after: { teams } })
    await setTeams(ctx.db, id, teams).catch(
      brokenConstraint('helm_repository_team_team_id_fkey', new Fault('invalid', 'helm-team-unknown')),
    )
    return readRepository(ctx, id)
  })

export const removeRepository = (ctx: Ctx, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const before = mustExist(await findRepository(ctx.db, id, { lock: true }))
    note(ctx, { object: before.name, before: visible(ctx, before) })
    const from = await releasesFrom(ctx.db, id)
    if (from.length > 0)
      throw new Fault('conflict', 'helm-repository-in-use', { name: before.name, releases: from.join(', ') })
    await deleteRepository(ctx.db, id)
    return null
  })

export async function repositoriesOfTeam(ctx: Ctx, teamId: number): Promise<UsableRepository[]> {
  await mustHold(ctx, teamId, 'helm_chart_view')
  return usableRepositories(ctx.db, teamId)
}

/** A repository that the team may deploy from; 404 if there is none. */
export async function usableRepository(ctx: Ctx, teamId: number, by: number | string): Promise<StoredRepository> {
  return mustExist(await findUsable(ctx.db, teamId, by))
}
