import { session } from '@gantry/contract/auth/session'
import { clusters } from '@gantry/contract/clusters/clusters'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pushPath } from '@gantry/contract/push/path'
import { containers } from '@gantry/contract/stacks/containers/containers'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { teams } from '@gantry/contract/teams/teams'
import { setTimeout as pause } from 'node:timers/promises'
import type { Caller } from '../e2e/caller.ts'
import { newUser, password, type Product, signIn } from '../e2e/product.ts'

/** A team with a running service and its leader: everything another process needs to act as it. */
export interface TenantPlace {
  url: string
  userName: string
  teamId: number
  groupId: number
  /** The container of its terminal. */
  container: { teamId: number; envId: string; id: string }
}

export interface Tenant extends TenantPlace {
  leader: Caller
}

/** The same team, with a new login by this process. */
export const enter = async (place: TenantPlace): Promise<Tenant> => ({
  ...place,
  leader: await signIn(place.url, place.userName, password),
})

export async function openTenant(product: Product, name: string): Promise<Tenant> {
  const { id: teamId } = await product.admin.call(teams.create, { body: { name } })
  const { url } = product
  const userName = `${name}-lead`
  const leader = await newUser(product, userName, { teamId, roleId: 'leader' })
  const { id: groupId } = await leader.call(groups.create, { params: { teamId }, body: { name } })
  const [cluster] = await leader.call(clusters.ofTeam, { params: { teamId } })
  if (!cluster) throw new Error('the sandbox is not there')
  const envId = cluster.uuid
  const stack = await leader.call(stacks.create, { params: { teamId }, body: { name: 'shop', envId } })
  const { id } = await leader.call(services.create, {
    params: { teamId, stackId: stack.id, serviceName: 'web' },
    body: { image: 'registry.example.org/shop/web:1' },
  })
  for (;;) {
    const { items } = await leader.call(services.containers, { params: { teamId, envId, id } })
    const ready = items.find((one) => one.ready)
    if (ready) return { url, userName, teamId, leader, groupId, container: { teamId, envId, id: ready.podId } }
    await pause(100)
  }
}

export async function terminalOf({ url, leader, container: { id, ...at } }: Tenant): Promise<WebSocket> {
  const opened = await leader.call(containers.execute, { params: { ...at, id } })
  const ws = new WebSocket(`${url.replace('http', 'ws')}${opened?.url}?authorization=${opened?.ticket}`)
  ws.binaryType = 'arraybuffer'
  await new Promise((open, failed) => {
    ws.addEventListener('open', open)
    ws.addEventListener('error', failed)
  })
  return ws
}

export const typed = (data: string): string => JSON.stringify({ type: 'input', data })

/** The push channel of a browser. */
export async function openPush({ url, leader: { call } }: Tenant): Promise<WebSocket> {
  const { ticket } = await call(session.ticket, { body: { method: 'GET', path: pushPath } })
  const ws = new WebSocket(`${url.replace('http', 'ws')}${pushPath}?authorization=${ticket}`)
  await new Promise((open, failed) => {
    ws.addEventListener('open', open)
    ws.addEventListener('error', failed)
  })
  return ws
}

const script = (run: string): StepInput => ({ type: 'script', name: 'run', run })

let made = 0

export async function newPipeline({ leader, groupId }: Tenant, name: string, run: string): Promise<number> {
  const definition = { stages: [{ name: 'only', steps: [script(run)] }] }
  return (
    await leader.call(definitions.create, {
      body: { appId: groupId, projectName: `${name} ${process.pid} ${++made}`, definition },
    })
  ).id
}
