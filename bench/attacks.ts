import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { session } from '@gantry/contract/auth/session'
import type { Endpoint } from '@gantry/contract/endpoint'
import { builds } from '@gantry/contract/pipelines/builds'
import { groups } from '@gantry/contract/pipelines/groups'
import { isEnded } from '@gantry/contract/pipelines/states'
import { buildsTopic } from '@gantry/contract/pipelines/topics'
import { newPipeline, openPush, type Tenant, terminalOf, typed } from './tenant.ts'

/** Continues until it is aborted; resolves when everything it started has ended. */
type Attack = (hostile: Tenant, signal: AbortSignal) => Promise<void>

const endless =
  (...runs: string[]): Attack =>
  (hostile, signal) =>
    runFor(hostile, runs, signal)

export const attacks: Record<string, Attack> = {
  '10,000 guesses a call': guess,
  'a flood into a terminal': flood,
  'slow bodies and huge bodies': sendBodies,
  '1,000 sockets that come and go': openSockets,
  '10,000 lines a second': endless('while :; do seq 1 1000; sleep 0.1; done'),
  'a fork bomb': endless('bomb() { bomb | bomb & }; bomb; sleep 600'),
  'a full disk': endless('head -c 100G /dev/zero > "$GANTRY_WORKSPACE/all"; sleep 600'),
  'two endless builds': endless('while :; do :; done', 'while :; do :; done'),
}

function ignore(): void {}

/** Runs each of these builds again and again, and stops the remaining ones at the end. */
async function runFor(tenant: Tenant, runs: string[], signal: AbortSignal): Promise<void> {
  const { leader } = tenant
  await Promise.all(
    runs.map(async (run) => {
      const id = await newPipeline(tenant, 'endless', run)
      while (!signal.aborted) {
        const { number } = await leader.call(builds.trigger, { params: { id }, body: {} })
        const state = async () => (await leader.call(builds.get, { params: { id, number } })).state
        while (!signal.aborted && !isEnded(await state())) await pause(200)
        if (!signal.aborted) continue
        await leader.call(builds.stop, { params: { id, number } }).catch(ignore)
        while (!isEnded(await state())) await pause(200)
      }
    }),
  )
}

/** Repeats the work for several callers at once until it is aborted; a refused call is retried. */
async function insist(callers: number, signal: AbortSignal, work: (n: number) => Promise<unknown>): Promise<void> {
  let n = 0
  const one = async () => {
    while (!signal.aborted) await work(n++).catch(() => pause(20))
  }
  await Promise.all(Array.from({ length: callers }, one))
}

async function guess({ leader, groupId }: Tenant, signal: AbortSignal): Promise<void> {
  const guesses = (n: number) => Array.from({ length: 100 }, (_, at) => `secret-${n}-${at}`).join(' ')
  const variables = Array.from({ length: 100 }, (_, n) => ({ name: `GUESS_${n}`, value: guesses(n), secret: false }))
  await insist(8, signal, () => leader.raw(groups.setVariables, { params: { id: groupId }, body: { variables } }))
}

async function flood(tenant: Tenant, signal: AbortSignal): Promise<void> {
  const frame = typed('a'.repeat(1_000))
  await insist(1, signal, async () => {
    const ws = await terminalOf(tenant)
    let closed = false
    ws.addEventListener('close', () => (closed = true))
    const isClosed = () => closed
    while (!signal.aborted && !isClosed()) {
      for (let n = 0; n < 1_000 && ws.bufferedAmount < 4 * 1024 * 1024; n++) ws.send(frame)
      await pause(5)
    }
    ws.close()
  })
}

/** Another address of this machine, so that limits by address count the attacker alone. */
const stranger = '127.0.0.2'

/** Posts a body to the login; resolves when it is answered or cut off. */
function post(url: string, { path, method }: Endpoint, body: string, everyMs: number | null): Promise<void> {
  return new Promise((done) => {
    const sent = request(new URL(path, url), {
      method,
      localAddress: stranger,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    })
    let drip: NodeJS.Timeout | undefined
    sent.on('response', (answer) => answer.resume())
    sent.on('error', ignore)
    sent.on('close', () => {
      clearInterval(drip)
      done()
    })
    if (everyMs === null) return void sent.end(body)
    let at = 0
    drip = setInterval(() => {
      if (at >= body.length) return void sent.end()
      sent.write(body[at++])
    }, everyMs)
  })
}

async function sendBodies({ url }: Tenant, signal: AbortSignal): Promise<void> {
  const huge = `[${Array.from({ length: 300_000 }, () => '{}').join(',')}]`
  const slow = JSON.stringify({ username: 'somebody', password: 'wrong-password' })
  await Promise.all([
    insist(42, signal, () => post(url, session.login, huge, null)),
    insist(40, signal, () => post(url, session.login, slow, 200)),
  ])
}

async function openSockets(tenant: Tenant, signal: AbortSignal): Promise<void> {
  const open: WebSocket[] = []
  await insist(10, signal, async () => {
    const ws = await openPush(tenant)
    open.push(ws)
    ws.send(JSON.stringify({ op: 'subscribe', topic: buildsTopic.name({ teamId: tenant.teamId }) }))
    if (open.length > 1_000) open.shift()?.close()
  })
  for (const ws of open) ws.close()
}
