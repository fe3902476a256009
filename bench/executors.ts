import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { agents } from '@gantry/contract/agents/agents'
import { buildImages } from '@gantry/contract/build-images/build-images'
import { builds } from '@gantry/contract/pipelines/builds'
import { ulimits } from '../apps/agent/src/containers/engine.ts'
import { agentProcess } from '../apps/agent/test/agent-process.ts'
import { images, ownNamespace, whyNoKube, type Namespace } from '../apps/agent/test/kube.ts'
import { ownPodman, whyNoPodman, type Podman } from '../apps/agent/test/podman.ts'
import type { Caller } from '../e2e/caller.ts'
import type { Product } from '../e2e/product.ts'
import { ended, newPipeline, pause, script } from './builds.ts'
import { figure, ms, timed } from './figures.ts'

const times = 12
const slotUser = 61_900
const memoryMb = 64

/** What a build of one job `true` takes on each executor over what the same program takes by itself. */
export async function benchExecutors(product: Product, teamId: number): Promise<void> {
  if (whyNoPodman === '') await benchPodman(product, teamId)
  else console.log(`a job in a container: left out, it ${whyNoPodman}`)
  if (whyNoKube === '') await benchKubernetes(product, teamId)
  else console.log(`a job in Kubernetes: left out, it ${whyNoKube}`)
}

async function benchPodman({ admin, url }: Product, teamId: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'gantry-bench-podman-'))
  const podman = ownPodman(join(dir, 'engine'))
  const agent = await agentProcess(url, {
    ...(await newAgent(admin, 'podman')),
    GANTRY_AGENT_CONTAINER_ENGINE: podman.program,
    GANTRY_AGENT_FIRST_UID: String(slotUser),
    GANTRY_AGENT_BUILD_MEMORY_MB: String(memoryMb),
  })
  try {
    const build = await builder(admin, teamId, { executor: 'container', label: 'podman', image: podman.image })
    await beside('podman', build, () => runAlone(podman, dir), 'podman run')
  } finally {
    await agent.close()
    podman.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** The same image with the users, network, mounts and bounds that an agent gives it. */
async function runAlone({ program, image }: Podman, dir: string): Promise<void> {
  const volumes = ['work', 'home', 'tmp'].flatMap((name) => {
    mkdirSync(join(dir, name), { recursive: true })
    return ['--volume', `${join(dir, name)}:/gantry/${name}`]
  })
  const users = ['--uidmap', '--gidmap'].flatMap((map) => [
    map,
    `0:${slotUser}:1`,
    map,
    `1:${1_000_000_000 + (slotUser % 16_384) * 65_536}:65535`,
  ])
  const memory = ['--memory', `${memoryMb}m`, '--memory-swap', `${memoryMb}m`]
  const bounds = [...memory, '--pids-limit', '4096', ...ulimits({ disk: 2 ** 30, processes: 4096 })]
  const apart = ['--ipc', 'none', '--tmpfs', '/dev/shm:rw,nosuid,nodev,mode=1777', '--stop-timeout', '0']
  const secure = ['--security-opt', 'no-new-privileges', '--security-opt', 'label=disable', '--user', '0:0']
  const words = ['--pull', 'never', '--network', 'host', ...users, ...bounds, ...apart, ...secure, ...volumes]
  await promisify(execFile)(program, ['run', '--rm', ...words, '--entrypoint', 'sh', image, '-e', '-c', 'true'])
}

async function benchKubernetes({ admin, url }: Product, teamId: number): Promise<void> {
  const namespace = await ownNamespace()
  const server = await namespace.serve(url)
  const agent = await agentProcess(server, { ...namespace.environment, ...(await newAgent(admin, 'kubernetes')) })
  try {
    const build = await builder(admin, teamId, { executor: 'kubernetes', label: 'kubernetes', image: images.shell })
    const api = apiOf(namespace)
    await beside('Kubernetes', build, () => runJob(api), 'Job')
  } finally {
    await agent.close()
    await namespace.close()
  }
}

type Api = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>

/** Calls the cluster's API over one kept connection, as the agent's account. */
function apiOf({ name, environment }: Namespace): Api {
  const account = environment['GANTRY_SERVICE_ACCOUNT'] ?? ''
  const authorization = `Bearer ${readFileSync(join(account, 'token'), 'utf8')}`
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(account, 'ca.crt')) })
  return (method, path, body) =>
    new Promise((done, failed) => {
      const to = new URL(`/apis/batch/v1/namespaces/${name}${path}`, environment['GANTRY_KUBE_SERVER'])
      const headers = { authorization, 'content-type': 'application/json' }
      const asked = request(to, { method, agent, headers }, (answer) => {
        if ((answer.statusCode ?? 500) < 300) json(answer).then(done, failed)
        else failed(new Error(`${method} ${path}: ${answer.statusCode}`))
      })
      asked.on('error', failed).end(body && JSON.stringify(body))
    })
}

let made = 0

/** A Job is complete some time after its pod has ended, so a build, whose end its own agent reports, may be sooner. */
async function runJob(api: Api): Promise<void> {
  const name = `alone-${++made}`
  const resources = { limits: { cpu: '50m', memory: `${memoryMb}Mi` } }
  const container = { name: 'job', image: images.shell, command: ['true'], resources }
  const template = { spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 1, containers: [container] } }
  await api('POST', '/jobs', { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template } })
  for (;;) {
    const { items } = (await api('GET', `/jobs?fieldSelector=metadata.name%3D${name}`)) as {
      items: { status: { succeeded?: number } }[]
    }
    if (items[0]?.status.succeeded === 1) return
    await pause(5)
  }
}

async function newAgent({ call }: Caller, label: string): Promise<Record<string, string>> {
  const { token } = await call(agents.create, { body: { name: `bench-${label}`, labels: [label], capacity: 1 } })
  return { GANTRY_AGENT_TOKEN: token, GANTRY_AGENT_CAPACITY: '1' }
}

async function builder(
  admin: Caller,
  teamId: number,
  { executor, label, image }: { executor: 'container' | 'kubernetes'; label: string; image: string },
): Promise<() => Promise<void>> {
  const added = await admin.call(buildImages.create, { body: { name: `bench-${label}`, image } })
  const job = { name: 'job', executor, image: added.id, labels: [label], steps: [script('true')] }
  const id = await newPipeline(admin, teamId, [{ name: 'only', jobs: [job] }])
  return async () => {
    const { number } = await admin.call(builds.trigger, { params: { id }, body: {} })
    await ended(admin, id, number)
  }
}

/** Runs both in turn, because the speed of a machine changes; the first round only warms up. */
async function beside(
  name: string,
  build: () => Promise<void>,
  alone: () => Promise<void>,
  program: string,
): Promise<void> {
  const rounds: { build: number; alone: number }[] = []
  for (let n = 0; n <= times; n++) rounds.push({ alone: await timed(alone), build: await timed(build) })
  const measured = rounds.slice(1)
  const raw = measured.map((round) => round.alone)
  figure(`${program} of \`true\` by itself`, raw, ms)
  figure(
    `trigger → done of a step \`true\` on ${name}`,
    measured.map((round) => round.build),
    ms,
  )
  figure(
    `${name}: a build over ${program}`,
    measured.map((round) => round.build - round.alone),
    ms,
  )
}
