import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { builds } from '@gantry/contract/pipelines/builds'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { isEnded } from '@gantry/contract/pipelines/states'
import { buildLogTopic } from '@gantry/contract/pipelines/topics'
import { stacks } from '@gantry/contract/stacks/stacks'
import { teams } from '@gantry/contract/teams/teams'
import type { Product } from '../e2e/product.ts'
import { attacks } from './attacks.ts'
import { figure, ms } from './figures.ts'
import { newPipeline, openPush, openTenant, type TenantPlace, type Tenant, terminalOf, typed } from './tenant.ts'

/**
 * What one tenant notices while another attacks with full force: a page's call, the echo of a terminal, a followed log,
 * a build's first line. Each attack runs for as long as the neighbour is measured, and each figure is printed with its
 * ratio to the quiet one. The promise: at most × 2, and no refusal.
 *
 * The attacker is a process that gets only the processor time that the product leaves, as a real attacker has a machine
 * of their own: only the load that the product lets through is measured.
 */
export async function benchNeighbours(product: Product, seconds: number, only = ''): Promise<void> {
  const neighbour = await openTenant(product, 'neighbour')
  const { leader: _, ...hostile } = await openTenant(product, 'hostile')
  const quiet = await measure(neighbour, seconds)
  report('quiet', quiet)
  for (const name of Object.keys(attacks).filter((one) => one.includes(only))) {
    const end = await attack(name, hostile)
    await pause(1_000)
    report(name, await measure(neighbour, seconds), quiet)
    await end()
  }
}

/** Starts the attack; returns a function that ends it. */
async function attack(name: string, hostile: TenantPlace): Promise<() => Promise<void>> {
  // detached, it has its own scheduling group, which alone decides its share of processor time
  const attacker = fork(join(import.meta.dirname, 'attacker.ts'), [name, JSON.stringify(hostile)], { detached: true })
  const { pid = 0 } = attacker
  setPriority(pid, constants.priority.PRIORITY_LOW)
  if (process.platform === 'linux') writeFileSync(`/proc/${pid}/autogroup`, '19')
  await once(attacker, 'message')
  return async () => {
    attacker.send('stop')
    await once(attacker, 'exit')
  }
}

interface Felt {
  call: number[]
  echo: number[]
  log: number[]
  firstLine: number[]
  refused: string[]
}

async function measure(tenant: Tenant, seconds: number): Promise<Felt> {
  const felt: Felt = { call: [], echo: [], log: [], firstLine: [], refused: [] }
  const end = performance.now() + seconds * 1_000
  const going = () => performance.now() < end
  const insistent = async (use: (tenant: Tenant, felt: Felt, going: () => boolean) => Promise<void>) => {
    while (going())
      await use(tenant, felt, going).catch((error: unknown) => {
        felt.refused.push(String(error))
        return pause(100)
      })
  }
  await Promise.all([readPages, typeInTerminal, followBuilds].map(insistent))
  return felt
}

/** The pages that a person opens, one after another. */
async function readPages(tenant: Tenant, felt: Felt, going: () => boolean): Promise<void> {
  const {
    teamId,
    leader,
    container: { envId },
  } = tenant
  const pages = [
    () => leader.raw(pipelines.list, { params: { teamId }, query: {} }),
    () => leader.raw(groups.list, { params: { teamId }, query: {} }),
    () => leader.raw(stacks.list, { params: { teamId, envId }, query: {} }),
    () => leader.raw(teams.get, { params: { id: teamId } }),
  ]
  for (let n = 0; going(); n++) {
    const started = performance.now()
    const answer = await pages[n % pages.length]?.()
    await answer?.arrayBuffer()
    felt.call.push(performance.now() - started)
    if (answer?.status !== 200) felt.refused.push(`a page: ${answer?.status}`)
    await pause(50)
  }
}

async function typeInTerminal(tenant: Tenant, felt: Felt, going: () => boolean): Promise<void> {
  const ws = await terminalOf(tenant)
  let shown = ''
  let heard = () => {}
  ws.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
    shown += Buffer.from(data).toString()
    heard()
  })
  for (let n = 0; going(); n++) {
    // a shell comment: the terminal echoes it, and the shell answers nothing
    const word = `#${n}.`
    const started = performance.now()
    const echoed = new Promise<void>((done) => {
      heard = () => {
        if (shown.includes(word)) done()
      }
    })
    ws.send(typed(word))
    const late = await Promise.race([echoed, pause(10_000, 'late')])
    if (late === 'late') felt.refused.push('a terminal without an echo')
    felt.echo.push(performance.now() - started)
    ws.send(typed('\r'))
    shown = ''
    await pause(100)
  }
  ws.close()
}

/** Each line is the time at which it was written, in milliseconds. */
const clock = 'for i in $(seq 20); do date +%s%3N; sleep 0.15; done'

/** One build after another, each followed as its page does: news by the push channel, the log by its call. */
async function followBuilds(tenant: Tenant, felt: Felt, going: () => boolean): Promise<void> {
  const { leader } = tenant
  const id = await newPipeline(tenant, 'clock', clock)
  const ws = await openPush(tenant)
  let news = Promise.withResolvers<void>()
  ws.addEventListener('message', () => news.resolve())
  while (going()) {
    const started = performance.now()
    const { number } = await leader.call(builds.trigger, { params: { id }, body: {} })
    ws.send(JSON.stringify({ op: 'subscribe', topic: buildLogTopic.name({ pipelineId: id, number }) }))
    for (let read = 0; ;) {
      await Promise.race([news.promise, pause(500)])
      news = Promise.withResolvers()
      const log = await leader.call(builds.log, {
        params: { id, number, stage: 'only' },
        query: { offset: read, limit: 1_000 },
      })
      const now = Date.now()
      const moments = log.lines.map(({ text }) => Number(text)).filter((at) => at > 1e12)
      if (moments.length > 0 && felt.firstLine.length < number) felt.firstLine.push(performance.now() - started)
      felt.log.push(...moments.map((at) => now - at))
      read += log.lines.length
      const { state, message } = await leader.call(builds.get, { params: { id, number } })
      if (!isEnded(state)) continue
      if (state !== 'success') felt.refused.push(`a build: ${state} ${message}`)
      break
    }
    ws.send(JSON.stringify({ op: 'unsubscribe', topic: buildLogTopic.name({ pipelineId: id, number }) }))
  }
  ws.close()
}

function report(name: string, felt: Felt, quiet?: Felt): void {
  const parts = { call: 'a page', echo: "a terminal's echo", log: 'a followed log', firstLine: "a build's first line" }
  for (const [part, title] of Object.entries(parts) as [keyof typeof parts, string][]) {
    const values = felt[part]
    const ratio = quiet ? `, × ${(p95(values) / p95(quiet[part])).toFixed(1)}` : ''
    figure(`${name}: ${title}, ${values.length} times`, values, ms, `p95 ${ms(p95(values))}${ratio}`)
  }
  if (felt.refused.length > 0)
    console.log(`${name}: refused ${felt.refused.length} times: ${[...new Set(felt.refused)].join(', ')}`)
}

const p95 = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * 0.95))] ?? Number.NaN
