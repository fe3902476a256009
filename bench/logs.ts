import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { session } from '@gantry/contract/auth/session'
import { clusters } from '@gantry/contract/clusters/clusters'
import { followServicePath, type LogSource } from '@gantry/contract/stacks/containers/logs'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { noBrowser, openBrowser } from '../e2e/browser.ts'
import { labCluster, nameByDigest } from '../apps/server/test/lab.ts'
import type { Product } from '../e2e/product.ts'
import { memoryOf } from '../scripts/memory.ts'
import { pause } from './builds.ts'
import { figure, mb, ms, perSecond, repeat } from './figures.ts'
import { signIn } from './page.ts'

const image = 'localhost/busybox:1'
const pods = 20

/** Numbers from 0 on, some 250 a second. */
const counting =
  'i=0; while :; do j=0; while [ $j -lt 26 ]; do echo $i; i=$((i+1)); j=$((j+1)); done; usleep 100000; done'

interface Frame {
  sources?: LogSource[]
  lines?: [n: number, at: string, text: string][]
  end?: string
}

/** Asks until there is an answer. */
async function until<T>(ask: () => Promise<T | false>): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer !== false) return answer
    await pause(200)
  }
}

/** Follows the log at an address of the console; answers how much its page's heap holds, in MB, at each call. */
async function followInBrowser(baseURL: string, address: string) {
  const browser = await openBrowser()
  const page = await browser.newPage({ baseURL })
  await page.goto('/login')
  await signIn(page)
  await page.goto(address)
  await page.locator('.g-log-line').first().waitFor()
  const devtools = await page.context().newCDPSession(page)
  return {
    heap: async () => {
      await devtools.send('HeapProfiler.collectGarbage')
      return (await devtools.send('Runtime.getHeapUsage')).usedSize / 2 ** 20
    },
    close: () => browser.close(),
  }
}

/**
 * Twenty pods that write 5,000 lines a second together, followed as one log through the socket of the console, and then
 * in a page of it, on the lab's cluster. Throws if the socket misses a line, or gets one twice or out of its pod's order.
 */
export async function benchLogs(product: Product, teamId: number, seconds: number): Promise<void> {
  const { admin, url } = product
  const { call } = admin
  const lab = labCluster()
  if (lab === undefined) throw new Error('this part needs the lab’s cluster')
  nameByDigest(lab.kubeconfig, image)
  const name = `logs-${randomBytes(3).toString('hex')}`
  const body = { name, kubeconfig: readFileSync(lab.kubeconfig, 'utf8'), teamIds: [teamId] }
  const { uuid: envId } = await call(clusters.create, { body })
  const { id: stackId } = await call(stacks.create, { params: { teamId }, body: { name, envId } })
  try {
    const isRunning = async () => (await call(stacks.get, { params: { teamId, envId, stackId } })).state === 'running'
    await until(isRunning)
    const { id } = await call(services.create, {
      params: { teamId, stackId, serviceName: 'counter' },
      body: {
        image,
        replicas: pods,
        resources: { cpu: '0.2', memory: '32Mi', cpuRequest: '0.01', memoryRequest: '16Mi' },
        command: ['sh', '-c', counting],
      },
    })
    await until(async () => {
      const { items } = await call(services.containers, { params: { teamId, envId, id } })
      return items.length === pods && items.every(({ ready }) => ready)
    })
    const path = followServicePath
      .replace(':teamId', String(teamId))
      .replace(':envId', envId)
      .replace(':id', String(id))
    const { ticket } = await call(session.ticket, { body: { method: 'GET', path } })
    const server = product.pid('server')
    const resident = () => (memoryOf(server)[0]?.pss ?? 0) / 1024
    const before = resident()
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}?authorization=${ticket}&quantity=1`)
    const last = new Map<number, number>()
    const lags: number[] = []
    let lines = 0
    const wrong: string[] = []
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const now = Date.now()
      const frame = JSON.parse(data) as Frame
      if (frame.end !== undefined) wrong.push(`the log ended: ${frame.end}`)
      for (const [n, at, text] of frame.lines ?? []) {
        const number = Number(text)
        const previous = last.get(n)
        if (previous !== undefined && number !== previous + 1) wrong.push(`${number} after ${previous} of source ${n}`)
        last.set(n, number)
        lines += 1
        lags.push(now - Date.parse(at))
      }
    })
    // the first lines come from the past
    await until(async () => last.size === pods)
    await pause(2_000)
    const [from, begun] = [lines, performance.now()]
    lags.length = 0
    let most = 0
    while (performance.now() - begun < seconds * 1000 && wrong.length === 0) {
      await pause(1_000)
      most = Math.max(most, resident())
    }
    const rate = ((lines - from) * 1000) / (performance.now() - begun)
    socket.close()
    if (wrong.length > 0) throw new Error(wrong[0])
    figure(`${pods} pods followed as one log for ${seconds} s: lines`, [rate], perSecond)
    const p95 = lags.toSorted((a, b) => a - b)[Math.floor(lags.length * 0.95)] ?? 0
    figure('from the container runtime to the page’s socket', lags, ms, `p95 ${ms(p95)}`)
    figure('memory of the server, more than before', [most - before], mb)
    if (noBrowser) return console.log(`in a page: skipped, ${noBrowser}`)
    const { uuid } = await call(stacks.get, { params: { teamId, envId, stackId } })
    const address = `/teams/${teamId}/appcenter/env/${envId}/stack/${stackId}/${uuid}/${name}/services/${id}/counter/bs/containers/from/app?tab=log`
    const page = await followInBrowser(url, address)
    try {
      const heaps = await repeat(10, () => pause(seconds * 100).then(page.heap))
      figure(`heap of a page that follows it for ${seconds} s`, heaps, mb, `last ${mb(heaps.at(-1) ?? Number.NaN)}`)
    } finally {
      await page.close()
    }
  } finally {
    await call(stacks.remove, { params: { teamId, envId, stackId }, query: { confirm: name } })
    await until(async () =>
      (await call(stacks.list, { params: { teamId, envId }, query: {} })).items.every(({ id }) => id !== stackId),
    )
    await call(clusters.remove, { params: { uuid: envId }, query: { confirm: name } })
  }
}
