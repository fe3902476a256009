import type { FieldProblem } from '@gantry/contract/envelope'
import type { Definition } from '@gantry/contract/pipelines/definition'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { firstFew, say } from '../../../kernel/phrase.ts'
import { type Approvers, noApprovers } from './approvers.ts'
import { namedInTeam } from './reviews.store.ts'

const kinds = ['users', 'roles'] as const

/**
 * The approvers that a definition names, and the places of names that are not of the team. A `known` name refers to the
 * same account as before, so that neither renaming an account nor taking a freed name changes who decides.
 */
export async function findApprovers(
  ctx: Ctx,
  teamId: number,
  { stages }: Definition,
  known: Approvers,
): Promise<{ approvers: Approvers; strangers: { path: string; name: string }[] }> {
  const all = stages.flatMap(({ approval }, stage) =>
    kinds.flatMap((kind) =>
      (approval?.[kind] ?? []).map((name, row) => ({ kind, name, path: `stages.${stage}.approval.${kind}.${row}` })),
    ),
  )
  if (all.length === 0) return { approvers: noApprovers, strangers: [] }
  const ask = (kind: (typeof kinds)[number]) => ({
    names: all.filter((one) => one.kind === kind).map(({ name }) => name),
    ids: known[kind].map(({ id }) => id),
  })
  const there = await namedInTeam(ctx.db, teamId, ask('users'), ask('roles'))
  const approvers: Approvers = { users: [], roles: [] }
  const strangers: { path: string; name: string }[] = []
  for (const { kind, name, path } of all) {
    const same = (one: { name: string }) => one.name === name
    const id = (known[kind].find(same) ?? there[kind].find(same))?.id
    if (id !== undefined && !approvers[kind].some(same)) approvers[kind].push({ name, id })
    if (!there[kind].some((one) => one.id === id)) strangers.push({ path, name })
  }
  return { approvers, strangers }
}

/** Like findApprovers; refuses names that are not of the team, each at its field. */
export async function approversOf(
  ctx: Ctx,
  teamId: number,
  definition: Definition,
  known: Approvers = noApprovers,
): Promise<Approvers> {
  const { approvers, strangers } = await findApprovers(ctx, teamId, definition, known)
  if (strangers.length === 0) return approvers
  const key = 'pipelines-approver-stranger'
  const problems: FieldProblem[] = strangers.map(({ path, name }) => ({
    path,
    key,
    text: say(ctx.lang, key, { name }),
  }))
  const names = firstFew([...new Set(strangers.map(({ name }) => name))])
  throw new Fault('invalid', 'pipelines-approver-strangers', { names }, problems)
}
