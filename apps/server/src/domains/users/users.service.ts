import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { User, users } from '@gantry/contract/users/users'
import { email as emailRule } from '@gantry/contract/validators'
import { brokenConstraint } from '../../db/constraint.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { changePassword, hashPassword } from '../auth/public.ts'
import { findUser, shareTeam } from './users.read.ts'
import { insertLocal, lockAdmins, updateProfile } from './users.store.ts'

async function mustFind(ctx: Ctx, userId: number): Promise<User> {
  const user = await findUser(ctx.db, userId)
  if (!user) throw new Fault('missing', 'user-missing')
  return user
}

/**
 * Oneself, or anyone for an administrator. Whom the caller knows anyhow, a team mate or an administrator, is refused;
 * anyone else does not exist.
 */
async function mustReach(ctx: Ctx, userId: number): Promise<User> {
  const user = await mustFind(ctx, userId)
  if (ctx.actor.admin || ctx.actor.id === userId) return user
  if (user.admin || (await shareTeam(ctx.db, ctx.actor.id, userId))) throw new Fault('forbidden', 'user-forbidden')
  throw new Fault('missing', 'user-missing')
}

interface By {
  /** Until the initial password is changed, one sees oneself and changes that. */
  newlyBuilt: boolean
}

export async function getUser(ctx: Ctx, userId: number, { newlyBuilt }: By): Promise<User> {
  if (newlyBuilt && userId !== ctx.actor.id) throw new Fault('forbidden', 'initial-password-first')
  return mustReach(ctx, userId)
}

const nameTaken = (name: string) =>
  brokenConstraint('account_identity', new Fault('conflict', 'user-name-taken', { name }))
const emailTaken = (email: string) =>
  brokenConstraint('account_local_email', new Fault('conflict', 'user-email-taken', { email }))

type NewUser = z.output<typeof users.create.body>

/** The initial password is answered once and must be changed at the first login. */
export async function createUser(ctx: Ctx, given: NewUser): Promise<User & { initialPassword: string }> {
  note(ctx, { object: given.userName, after: given })
  const initialPassword = randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(initialPassword)
  const { id } = await insertLocal(ctx.db, { ...given, passwordHash })
    .catch(nameTaken(given.userName))
    .catch(emailTaken(given.email))
  return { ...(await mustFind(ctx, id)), initialPassword }
}

type Change = z.output<typeof users.update.body>

/** Two administrators who take each other's right away meet here one after the other. */
async function mustLeaveAdmin(ctx: Ctx, userId: number): Promise<void> {
  const admins = await lockAdmins(ctx.db)
  if (admins.every(({ id }) => id === userId)) throw new Fault('conflict', 'user-last-admin')
}

/** Nickname and e-mail address; the administrator's right only by another administrator. */
const changeProfile = (ctx: Ctx, userId: number, given: Change): Promise<User> =>
  inTx(ctx, async (ctx) => {
    const before = await mustReach(ctx, userId)
    note(ctx, { object: before.userName })
    const change: Parameters<typeof updateProfile>[2] = {}
    // the contract takes any for the password change, which carries it and ignores it
    if (given.nickname !== undefined && [...given.nickname].length < 2) throw new Fault('invalid', 'nickname-length')
    if (given.nickname !== undefined) change.nickname = given.nickname
    if (given.email !== undefined && given.email !== before.email) change.email = emailRule.parse(given.email)
    if (given.admin !== undefined && ctx.actor.admin && ctx.actor.id !== userId) change.admin = given.admin
    if (change.admin === false && before.admin) await mustLeaveAdmin(ctx, userId)
    await updateProfile(ctx.db, userId, change).catch(emailTaken(given.email ?? ''))
    note(ctx, { before, after: change })
    return mustFind(ctx, userId)
  })

/** The call carries two payloads: with `password` it changes that and nothing else. */
export async function updateUser(ctx: Ctx, userId: number, given: Change, { newlyBuilt }: By): Promise<User> {
  if (newlyBuilt && (given.password === undefined || userId !== ctx.actor.id))
    throw new Fault('forbidden', 'initial-password-first')
  if (given.password === undefined) return changeProfile(ctx, userId, given)
  const user = await mustReach(ctx, userId)
  note(ctx, { object: user.userName })
  if (userId !== ctx.actor.id) throw new Fault('forbidden', 'password-foreign')
  await changePassword(ctx, { ...given, password: given.password })
  return mustFind(ctx, userId)
}
