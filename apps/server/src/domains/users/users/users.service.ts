import type { z } from 'zod'
import type { User, users } from '@gantry/contract/users/users'
import { email as emailRule, nickname as nicknameRule } from '@gantry/contract/validators'
import { brokenConstraint } from '../../../db/constraint.ts'
import { lockRow, mustBeMadeOn } from '../../../db/revision.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { say } from '../../../kernel/phrase.ts'
import { changePassword, hashPassword, newInitialPassword, publishUsers } from '../../auth/public.ts'
import { sendMail } from '../../settings/public.ts'
import { joinTeam } from '../../teams/public.ts'
import { mustKeepAdmin } from './admins.ts'
import { mustFind, mustReach, mustRead } from './reach.ts'
import { publishUser } from './publish.ts'
import { insertLocal, updateProfile } from './users.store.ts'

interface By {
  /** Until the initial password is changed, a user only sees and changes themselves. */
  newlyBuilt: boolean
  session?: { family: string }
}

export async function getUser(ctx: Ctx, userId: number, { newlyBuilt }: By): Promise<User> {
  if (newlyBuilt && userId !== ctx.actor.id) throw new Fault('forbidden', 'initial-password-first')
  return mustRead(ctx, userId)
}

const nameTaken = (name: string) =>
  brokenConstraint('account_identity', new Fault('conflict', 'user-name-taken', { name }))
const emailTaken = (email: string) =>
  brokenConstraint('account_local_email', new Fault('conflict', 'user-email-taken', { email }))

type NewUser = z.output<typeof users.create.body>

/** The initial password is returned once, and must be changed at the first login. */
export async function createUser(ctx: Ctx, given: NewUser): Promise<User & { initialPassword: string }> {
  note(ctx, { object: given.userName, after: given })
  const initialPassword = newInitialPassword()
  const passwordHash = await hashPassword(initialPassword)
  return inTx(ctx, async (ctx) => {
    const { id } = await insertLocal(ctx.db, { ...given, passwordHash })
      .catch(nameTaken(given.userName))
      .catch(emailTaken(given.email))
    if (given.teamId === undefined) await publishUsers(ctx)
    else await joinTeam(ctx, given.teamId, [id])
    const { userName } = given
    await sendMail(ctx, { to: id, template: 'account-created', vars: { userName }, key: `${id}`, path: '/login' })
    return { ...(await mustFind(ctx, id)), initialPassword }
  })
}

type Change = z.output<typeof users.update.body>

/** Changes nickname and e-mail address; the administrator's right only if another administrator does. */
const changeProfile = (ctx: Ctx, userId: number, given: Change): Promise<User> =>
  inTx(ctx, async (ctx) => {
    const { userName } = await mustReach(ctx, userId)
    note(ctx, { object: userName })
    const mayRaise = ctx.actor.admin && ctx.actor.id !== userId
    // before the one row, because it locks those of all administrators in the order of their ids
    if (given.admin === false && mayRaise) await mustKeepAdmin(ctx, [userId])
    await lockRow(ctx.db, 'account', userId)
    const before = await mustReach(ctx, userId)
    mustBeMadeOn(before.updatedAt, given.revision)
    const change: Parameters<typeof updateProfile>[2] = {}
    if (given.nickname !== undefined && given.nickname !== before.nickname)
      // the contract accepts any nickname, because a password change sends one that is ignored
      change.nickname = nicknameRule.parse(given.nickname)
    if (given.email !== undefined && given.email !== before.email) change.email = emailRule.parse(given.email)
    if (Object.keys(change).length > 0 && before.type !== 'IDENTITY')
      throw new Fault('conflict', 'user-profile-elsewhere', { type: say(ctx.lang, `user-type-${before.type}`) })
    if (given.admin !== undefined && mayRaise) change.admin = given.admin
    await updateProfile(ctx.db, userId, change).catch(emailTaken(given.email ?? ''))
    note(ctx, { before, after: change })
    await publishUser(ctx, userId)
    return mustFind(ctx, userId)
  })

/** The call has two purposes: with `password` it changes that and nothing else. */
export async function updateUser(ctx: Ctx, userId: number, given: Change, { newlyBuilt, session }: By): Promise<User> {
  if (newlyBuilt && (given.password === undefined || userId !== ctx.actor.id))
    throw new Fault('forbidden', 'initial-password-first')
  if (given.password === undefined) return changeProfile(ctx, userId, given)
  const user = await mustReach(ctx, userId)
  note(ctx, { object: user.userName })
  if (userId !== ctx.actor.id || !session) throw new Fault('forbidden', 'password-foreign')
  await changePassword(ctx, { ...given, password: given.password }, session.family)
  return mustFind(ctx, userId)
}
