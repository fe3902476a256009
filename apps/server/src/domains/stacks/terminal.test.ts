import { readFileSync } from 'node:fs'
import { environments } from '@gantry/contract/clusters/environments'
import { containers } from '@gantry/contract/stacks/containers'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { afterAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openKube } from '../../adapters/kube/pool.ts'
import { startSandbox } from '../../../test/sandbox.ts'
import { socketClient } from '../../../test/socket-client.ts'
import { testApp } from '../../../test/test-app.ts'
import { settleOnce } from './settle.start.ts'

const sandbox = await startSandbox()
const kube = openKube({ admit: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }] }) })
const app = await testApp({ ports: { kube } })
const { origin } = await socketClient(app)
afterAll(async () => {
  await kube.close()
  await sandbox.stop()
})

async function terminal() {
  const { team, envId, podId } = await runningContainer()
  const opened = await team.leader.call(containers.act, {
    params: { teamId: team.id, envId, id: podId },
    query: { action: 'execute' },
  })
  const address = `${origin.replace('http:', 'ws:')}${opened?.url}?authorization=${opened?.ticket}`
  return new WebSocket(address, { headers: { origin } })
}

let made = 0
async function runningContainer() {
  const team = await app.team()
  const { uuid: envId } = await app.admin.call(environments.create, {
    body: { name: `sandbox-${++made}`, kubeconfig: readFileSync(sandbox.kubeconfig, 'utf8'), teamIds: [team.id] },
  })
  const stack = await team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name: 'shop', envId } })
  const { id } = await team.leader.call(services.create, {
    params: { teamId: team.id, stackId: stack.id, serviceName: 'web' },
    body: { image: 'registry.example.test/web:1' },
  })
  const of = { teamId: team.id, envId, id }
  await expect
    .poll(
      async () => {
        await settleOnce(app.ctx())
        return (await team.leader.call(services.containers, { params: of })).items[0]?.ready
      },
      { timeout: 15_000 },
    )
    .toBe(true)
  const { items } = await team.leader.call(services.containers, { params: of })
  return { team, envId, podId: items[0]?.podId ?? '' }
}

const typed = (data: string) => JSON.stringify({ type: 'input', data })

test('what is typed the moment a terminal opens reaches its shell, in order', async () => {
  const ws = await terminal()
  let shown = ''
  ws.on('message', (data: Buffer) => (shown += String(data)))
  ws.once('open', () => {
    ws.send(JSON.stringify({ type: 'resize', columns: 100, rows: 30 }))
    for (const data of ['echo on', 'e-', 'two\r']) ws.send(typed(data))
  })
  await expect.poll(() => shown, { timeout: 10_000 }).toMatch(/\none-two\r?\n/)
  ws.close()
})

test('what is typed while a shell ends is nobody’s fault', async () => {
  const ws = await terminal()
  let shown = ''
  ws.on('message', (data: Buffer) => {
    shown += String(data)
    // the answer to each thing that is shown comes a moment late
    ws.send(typed('ls\r'))
  })
  ws.once('open', () => ws.send(typed('exit\r')))
  await new Promise((resolve) => ws.once('close', resolve))
  expect(shown).toContain('"type":"exit"')
})
