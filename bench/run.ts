import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { teams } from '@gantry/contract/teams/teams'
import { benchAudit } from './audit.ts'
import { benchBatches } from './batches.ts'
import { benchBodies } from './bodies.ts'
import { benchBuilds } from './builds.ts'
import { benchDryRun, benchIndex } from './charts.ts'
import { benchExecutors } from './executors.ts'
import { header } from './figures.ts'
import { benchIdle } from './idle.ts'
import { benchImages } from './images.ts'
import { benchLists } from './lists.ts'
import { benchLoad } from './load.ts'
import { benchLogs } from './logs.ts'
import { benchNeighbours } from './neighbours.ts'
import { benchPipelines } from './pipelines.ts'
import { benchPods } from './pods.ts'
import { benchScreens } from './screens.ts'
import { benchStacks } from './stacks.ts'
import { benchStarts } from './starts.ts'
import { benchTopics } from './topics.ts'
import { startProduct } from '../e2e/product.ts'
import { labService } from '../apps/server/test/lab.ts'

/**
 * `npm run bench`: figures of the whole product on this machine. Medians with minimum and maximum; nothing passes or
 * fails. A name runs one part: `npm run bench -- audit`. These run only by name: `idle`, `starts`, `load` (the cost of
 * the large lists), `screens` (in a browser), `pipelines` (with an agent of eight slots), `executors` (with podman and on
 * the lab's cluster), `pods` (on the lab's cluster: `npm run bench -- pods [how many]`), `logs` (of twenty pods there,
 * followed as one: `npm run bench -- logs [seconds]`), `stacks` (in the sandbox), `images` (on the lab's registry,
 * cluster and helm), and `neighbours` (one tenant attacks everything that is shared: `npm run bench -- neighbours
 * [seconds for each attack] [words of its name]`). `bench/compare.ts` runs the benchmarks of two checkouts alternately.
 */
const only = process.argv[2]
const isWanted = (part: 'builds' | 'lists' | 'batches' | 'audit' | 'topics' | 'bodies'): boolean =>
  only === undefined || only === part
const root = resolve(import.meta.dirname, '..')
console.log(
  `${cpus().length} × ${cpus()[0]?.model ?? ''}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
)
const onCluster = only === 'pods' || only === 'logs'
const attacked = only === 'neighbours'
const inRegistry = only === 'images'
const helm = inRegistry ? (process.env['GANTRY_HELM'] ?? labService('helm')?.['HELM_BIN']) : undefined
const product = await startProduct(
  {
    ...((onCluster || inRegistry || only === 'load') && { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8' }),
    ...(helm !== undefined && { GANTRY_HELM: helm }),
    ...(only === 'pipelines' && { GANTRY_AGENT_CAPACITY: '8' }),
    ...(process.env['GANTRY_SERVERS'] && { GANTRY_SERVERS: process.env['GANTRY_SERVERS'] }),
    // as in production, rate limits keep callers apart
    ...(attacked && { GANTRY_RATE_LIMIT: 'on' }),
  },
  'npm start',
)
try {
  const team = await product.admin.call(teams.create, { body: { name: 'bench' } })
  header()
  if (only === 'idle') await benchIdle(product, team.id)
  if (only === 'starts') await benchStarts()
  if (isWanted('builds')) await benchBuilds(product.admin, team.id)
  if (isWanted('lists')) await benchLists(product, team.id)
  if (isWanted('batches')) await benchBatches(product, team.id)
  if (isWanted('audit')) await benchAudit(product)
  if (isWanted('topics')) await benchTopics()
  if (isWanted('bodies')) await benchBodies()
  if (only === 'stacks') await benchStacks(product, team.id)
  if (only === 'pipelines') await benchPipelines(product, team.id)
  if (only === 'executors') await benchExecutors(product, team.id)
  if (only === 'screens') await benchScreens(product, team.id)
  if (only === 'load') await benchLoad(product, team.id)
  if (only === 'logs') await benchLogs(product, team.id, Number(process.argv[3] ?? 60))
  if (only === 'pods') await benchPods(product, process.argv[3] ? [Number(process.argv[3])] : [10_000, 30_000])
  if (inRegistry) {
    await benchIndex(product, team.id)
    await benchDryRun(product, team.id, helm)
    await benchImages(product, team.id)
  }
  if (attacked) await benchNeighbours(product, Number(process.argv[3] ?? 20), process.argv[4])
  const { pid } = JSON.parse(readFileSync(join(product.data, 'run/launcher.json'), 'utf8')) as { pid: number }
  spawnSync(process.execPath, [join(root, 'scripts/memory.ts'), String(pid)], { stdio: 'inherit' })
} finally {
  await product.stop()
}
