import type { JiraConfig, JiraInput, JiraKind, JiraProject, JiraTransition } from '@gantry/contract/trackers/jira'
import type { List } from '@gantry/contract/paging'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { JiraAccess } from '../../adapters/jira/jira.ts'
import { brokenConstraint } from '../../db/constraint.ts'
import { sorting } from '../../db/list.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { containing, toList, type Page, paged } from '../../kernel/paging.ts'
import { reasonOf, say, sayReason } from '../../kernel/phrase.ts'
import { keepSecret, open, maskSealed } from '../../kernel/secrets/secrets.ts'
import {
  type Checked,
  deleteJira,
  findJira,
  insertJira,
  listJiras,
  noteCheck,
  type StoredJira,
  updateJira,
} from './connections.store.ts'

/*
 * Connections to Jira. Administrators add them, with a token that no team ever gets. pipelines/issues uses them for
 * builds.
 */

/** Excludes the connection to TAPD. */
type Jira = StoredJira & { kind: JiraKind }

const isJira = (stored: StoredJira): stored is Jira => stored.kind !== 'tapd'

const toConfig = (ctx: Ctx, { token, problem, enabled: _, ...jira }: Jira): JiraConfig => ({
  ...jira,
  token: maskSealed(token),
  problem: sayReason(ctx.lang, problem),
})

/** As the audit log shows it. */
const toAudit = (ctx: Ctx, jira: Jira) => {
  const { problem: _, ...kept } = toConfig(ctx, jira)
  return kept
}

async function found(ctx: Ctx, id: number, options = {}): Promise<Jira> {
  const jira = await findJira(ctx.db, id, options)
  if (!jira || !isJira(jira)) throw new Fault('missing', 'resource-missing')
  return jira
}

/** With the decrypted token, only for the adapter. */
export const accessOf = (ctx: Ctx, jira: Pick<Jira, 'url' | 'kind' | 'email' | 'token'>): JiraAccess => ({
  url: jira.url,
  kind: jira.kind,
  email: jira.email,
  token: open(ctx, jira.token),
})

const wrong = (ctx: Ctx, path: string, key: PhraseKey, vars = {}): Fault =>
  new Fault('invalid', key, vars, [{ path, key, text: say(ctx.lang, key, vars) }])

/** Adds the encrypted token; a stored one is never used for another address. */
function sealed<G extends JiraAccess>(ctx: Ctx, given: G, stored: StoredJira | undefined): G {
  if (given.kind === 'cloud' && given.email === '') throw wrong(ctx, 'email', 'trackers-email-required')
  const token = keepSecret(ctx, given.token, stored?.token ?? null, stored?.url === given.url)
  if (token === null) throw wrong(ctx, 'token', 'trackers-token-again')
  return { ...given, email: given.kind === 'cloud' ? given.email : '', token }
}

/** Logs in and checks the projects before anything is saved, so that a saved connection works. */
async function verified(ctx: Ctx, input: JiraInput): Promise<Checked> {
  const access = accessOf(ctx, input)
  const checked = await ctx.ports.jira.verify(access, ctx.signal)
  const known = new Set((await ctx.ports.jira.projects(access, ctx.signal)).map(({ key }) => key))
  const unknown = input.projects.filter((key) => !known.has(key))
  if (unknown.length > 0)
    throw wrong(ctx, 'projects', 'trackers-project-unknown', { projects: unknown.join(', '), login: checked.login })
  return checked
}

export const changed = (name: string): Fault => new Fault('conflict', 'trackers-changed', { name })

const refusals = [
  ['jira_name', (name: string) => new Fault('conflict', 'trackers-name-taken', { name })],
  ['jira_one_tapd', changed],
  ['jira_team_team_id_fkey', () => new Fault('invalid', 'trackers-team-unknown')],
] as const

export const stored = <T>(write: Promise<T>, { name }: Pick<JiraInput, 'name'>): Promise<T> =>
  refusals.reduce((tried, [constraint, fault]) => tried.catch(brokenConstraint(constraint, fault(name))), write)

export async function readJiras(
  ctx: Ctx,
  { keyword = '', sort }: { keyword?: string | undefined; sort?: string | undefined },
  at: Page,
): Promise<List<JiraConfig>> {
  const { items, total } = await listJiras(ctx.db, keyword, sorting(sort, ['name', 'checkedAt']), at)
  return toList(
    items.filter(isJira).map((jira) => toConfig(ctx, jira)),
    total,
    at,
  )
}

export async function createJira(ctx: Ctx, given: JiraInput): Promise<JiraConfig> {
  note(ctx, { object: given.name, after: { ...given, token: maskSealed(given.token) } })
  const input = sealed(ctx, given, undefined)
  const checked = await verified(ctx, input)
  return inTx(ctx, async (ctx) =>
    toConfig(ctx, await found(ctx, await stored(insertJira(ctx.db, input, checked), input))),
  )
}

export async function changeJira(
  ctx: Ctx,
  id: number,
  { revision, ...given }: JiraInput & { revision?: number | undefined },
): Promise<JiraConfig> {
  const seen = await found(ctx, id)
  note(ctx, { object: seen.name, before: toAudit(ctx, seen), after: { ...given, token: maskSealed(given.token) } })
  const input = sealed(ctx, given, seen)
  const checked = await verified(ctx, input)
  return inTx(ctx, async (ctx) => {
    const before = await found(ctx, id, { lock: true })
    // the verified input includes the token of the revision that was read before
    if (before.revision !== (revision ?? seen.revision) || before.revision !== seen.revision) throw changed(before.name)
    await stored(updateJira(ctx.db, id, input, checked), input)
    return toConfig(ctx, await found(ctx, id))
  })
}

export const removeJira = (ctx: Ctx, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const before = await found(ctx, id, { lock: true })
    note(ctx, { object: before.name, before: toAudit(ctx, before) })
    await deleteJira(ctx.db, id)
    return null
  })

/** Verifies input before it is saved. */
export async function verifyJira(
  ctx: Ctx,
  { id, ...given }: JiraAccess & { id?: number | undefined },
): Promise<Checked> {
  note(ctx, { object: given.url })
  const access = accessOf(ctx, sealed(ctx, given, id === undefined ? undefined : await found(ctx, id)))
  return ctx.ports.jira.verify(access, ctx.signal)
}

/** A failure is no error here: it is stored and shown in the list. */
export async function checkJira(ctx: Ctx, id: number): Promise<JiraConfig> {
  const jira = await found(ctx, id)
  note(ctx, { object: jira.name })
  const outcome = await ctx.ports.jira.verify(accessOf(ctx, jira), ctx.signal).catch((error: unknown) => {
    if (error instanceof Fault) return reasonOf(error)
    throw error
  })
  await noteCheck(ctx.db, id, jira.revision, outcome)
  return toConfig(ctx, await found(ctx, id))
}

export async function readProjects(
  ctx: Ctx,
  { jiraConfigId, keyword }: { jiraConfigId: number; keyword?: string | undefined },
  at: Page,
): Promise<List<JiraProject>> {
  const all = await ctx.ports.jira.projects(accessOf(ctx, await found(ctx, jiraConfigId)), ctx.signal)
  return paged(
    containing(all, keyword, ({ key, name }) => [key, name]),
    at,
  )
}

/** Maximum of projects whose statuses are read; those of other projects are nearly always the same. */
const maxProjects = 10

export async function readTransitions(
  ctx: Ctx,
  { jiraConfigId, issueKey }: { jiraConfigId: number; issueKey?: string | undefined },
): Promise<JiraTransition[]> {
  const jira = await found(ctx, jiraConfigId)
  const access = accessOf(ctx, jira)
  if (issueKey !== undefined) {
    const transitions = await ctx.ports.jira.transitions(access, issueKey, ctx.signal)
    if (!transitions) throw new Fault('missing', 'trackers-issue-missing', { key: issueKey })
    return transitions
  }
  const statuses = new Set<string>()
  for (const project of jira.projects.slice(0, maxProjects))
    for (const name of (await ctx.ports.jira.statuses(access, project, ctx.signal)) ?? []) statuses.add(name)
  return [...statuses].map((name) => ({ id: '', name, status: name }))
}
