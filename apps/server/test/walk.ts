import { containers, followPath } from '@gantry/contract/stacks/containers/containers'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { WebSocket } from 'ws'
import { until } from './own-namespace.ts'
import type { socketClient } from './socket-client.ts'
import type { TestApp } from './test-app.ts'

interface Walk {
  app: TestApp
  client: Awaited<ReturnType<typeof socketClient>>
  team: Awaited<ReturnType<TestApp['team']>>
  envId: string
  service: { image: string; command?: string[] }
}

/** The life of a stack in a cluster, like a user would do it: deploy, watch, follow its log, open a shell, delete. */
export async function walk({ app, client, team, envId, service }: Walk): Promise<void> {
  const { leader } = team
  const inTeam = { teamId: team.id }
  const stack = await leader.call(stacks.create, { params: inTeam, body: { name: 'shop', envId } })
  const { id } = await leader.call(services.create, {
    params: { ...inTeam, stackId: stack.id, serviceName: 'web' },
    body: { resources: { cpu: '0.1', memory: '64Mi' }, ...service },
  })
  const pod = await until('the service runs', async () => {
    await app.reconcile()
    const { items } = await leader.call(services.containers, { params: { ...inTeam, envId, id } })
    return items.find(({ ready }) => ready)
  })

  const named = { ...inTeam, envId, podId: pod.podId, name: pod.name }
  const path = followPath.replaceAll(/:(\w+)/g, (_, name: keyof typeof named) => String(named[name]))
  const log = await client.as(leader, path)
  await until('the log is followed', async () => log.frames.some((frame) => 'lines' in frame))
  log.ws.close()

  const opened = await leader.call(containers.execute, { params: { ...inTeam, envId, id: pod.podId } })
  const { origin } = client
  const shell = new WebSocket(`${origin.replace('http', 'ws')}${opened?.url}?authorization=${opened?.ticket}`, {
    headers: { origin },
  })
  let shown = ''
  shell.on('message', (data: Buffer) => (shown += String(data)))
  shell.once('open', () => {
    for (const data of ['echo on', 'e-', 'two\r']) shell.send(JSON.stringify({ type: 'input', data }))
  })
  await until('the shell answers', async () => /\none-two\r?\n/.test(shown))
  shell.close()

  await leader.call(stacks.remove, { params: { ...inTeam, envId, stackId: stack.id }, query: { confirm: stack.name } })
  await until('the stack is gone', async () => {
    await app.reconcile()
    const left = await app.db.selectFrom('stack').select('id').where('environment', '=', envId).executeTakeFirst()
    return left === undefined
  })
}
