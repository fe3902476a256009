import { session } from '@gantry/contract/auth/session'
import type { Session } from '@gantry/contract/auth/session'
import { type Cluster, clusters } from '@gantry/contract/clusters/clusters'
import { teams } from '@gantry/contract/teams/teams'
import { type User, users } from '@gantry/contract/users/users'
import type { Role } from './roles.ts'
import type { Run } from './runner.ts'
import type { Answer } from './wire.ts'
import { firstPassword } from './world.ts'

interface Account {
  id: number
  userName: string
  password: string
}

const visitor: Role = { name: 'visitor', sees: 'all', token: undefined }

const dataIn = <T>({ status, text }: Answer): T | undefined =>
  status === 200 ? (JSON.parse(text) as { data: T }).data : undefined

/** Not kept as an example: the run's accounts log in only with their own password. */
async function signIn(run: Run, username: string, password: string): Promise<Session | undefined> {
  return dataIn<Session>(await run.ask(visitor, session.login, { body: { username, password } }))
}

/** Logs in with the initial password and changes it; returns the session's token. */
async function begin(run: Run, account: Account): Promise<string> {
  const first = await signIn(run, account.userName, account.password)
  if (!first) throw new Error(`${account.userName} cannot sign in`)
  account.id = first.id
  const password = run.secret()
  const body = { oldPassword: account.password, password, rePassword: password }
  const changed = await run.ask({ ...visitor, token: first.token }, users.update, { params: { id: first.id }, body })
  if (changed.status !== 200) throw new Error(`the password of ${account.userName}: ${changed.text}`)
  account.password = password
  return (await signIn(run, account.userName, password))?.token ?? ''
}

/** The first administrator, who creates and repairs the others, and is never drawn. */
export async function openRoot(run: Run): Promise<Role> {
  const account: Account = { id: 0, userName: 'admin', password: firstPassword }
  const root: Role = { name: 'admin', sees: 'all', token: undefined }
  root.token = await begin(run, account)
  root.renew = async () => void (root.token = (await signIn(run, account.userName, account.password))?.token)
  return root
}

interface Wish {
  admin?: boolean
  teamId?: number
}

/** Gives the role a new account, and renews it whatever calls do to it. */
export async function enlist(run: Run, root: Role, role: Role, { admin = false, teamId }: Wish = {}): Promise<number> {
  const userName = run.fresh('nobodys')
  const { initialPassword: password, id } = await run.make(root, users.create, {
    body: {
      userName,
      nickname: userName,
      email: `${userName}@g.test`,
      admin,
      ...(teamId === undefined ? {} : { teamId }),
    },
  })
  const account: Account = { id, userName, password }
  role.token = await begin(run, account)
  role.renew = async () => {
    const again = await signIn(run, account.userName, account.password)
    role.token = again && !again.newlyBuilt ? again.token : await rescue()
  }
  const signRootIn = async () => {
    if ((await run.ask(root, session.sessions)).status !== 200) await root.renew?.()
  }
  const rescue = async () => {
    await signRootIn()
    await run.ask(root, users.approve, { params: { id }, query: { enable: 'true' } })
    const reset = dataIn<{ initialPassword: string }>(await run.ask(root, users.resetPassword, { params: { id } }))
    if (!reset) return undefined
    account.password = reset.initialPassword
    return begin(run, account).catch(() => undefined)
  }
  role.demote = async () => {
    if (role.sees === 'all') return false
    await signRootIn()
    const user = dataIn<User>(await run.ask(root, users.get, { params: { id } }))
    // by id, because teams are renamed
    const foreign = (user?.teams ?? []).filter((team) => team.id !== teamId)
    for (const team of foreign) await run.ask(root, teams.removeMember, { params: { id: team.id, userId: id } })
    const { roles = [], admin: raised = false } = user ?? {}
    if (roles.length > 0) await run.ask(root, users.assignSystemRoles, { params: { id }, body: [] })
    if (raised) await run.ask(root, users.update, { params: { id }, body: { admin: false } })
    return foreign.length > 0 || roles.length > 0 || raised
  }
  role.uses = async (env) => {
    if (env === undefined) return false
    await signRootIn()
    const cluster = dataIn<Cluster>(await run.ask(root, clusters.get, { params: { uuid: String(env) } }))
    return cluster?.teams.some((team) => team.id === teamId) ?? false
  }
  return id
}
