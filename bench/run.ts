import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { teams } from '@gantry/contract/teams/teams'
import { benchAudit } from './audit.ts'
import { benchBuilds } from './builds.ts'
import { header } from './figures.ts'
import { benchLists } from './lists.ts'
import { benchNeighbours } from './neighbours.ts'
import { benchPods } from './pods.ts'
import { benchTopics } from './topics.ts'
import { startProduct } from '../e2e/product.ts'

/**
 * `npm run bench`: figures of the whole product on this machine. Medians with minimum and maximum; nothing here passes or
 * fails. A name runs one part: `npm run bench -- audit`. Only by name run `pods`, on the lab's cluster (`npm run bench -- pods [how many]`),
 * and `neighbours`, where one tenant attacks what all share (`npm run bench -- neighbours [seconds for each attack] [words of its name]`).
 * `bench/compare.ts` runs the benchmarks of two checkouts in turn.
 */
const only = process.argv[2]
const wanted = (part: 'builds' | 'lists' | 'audit' | 'topics'): boolean => only === undefined || only === part
const root = resolve(import.meta.dirname, '..')
console.log(
  `${cpus().length} × ${cpus()[0]?.model ?? ''}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
)
const onCluster = only === 'pods'
const attacked = only === 'neighbours'
const product = await startProduct({
  ...(onCluster && { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8' }),
  // what keeps callers apart in production keeps them apart here
  ...(attacked && { GANTRY_RATE_LIMIT: 'on' }),
})
try {
  const team = await product.admin.call(teams.create, { body: { name: 'bench' } })
  header()
  if (wanted('builds')) await benchBuilds(product.admin, team.id)
  if (wanted('lists')) await benchLists(product, team.id)
  if (wanted('audit')) await benchAudit(product)
  if (wanted('topics')) await benchTopics()
  if (onCluster) await benchPods(product, process.argv[3] ? [Number(process.argv[3])] : [10_000, 30_000])
  if (attacked) await benchNeighbours(product, Number(process.argv[3] ?? 20), process.argv[4])
  const { pid } = JSON.parse(readFileSync(join(product.data, 'run/launcher.json'), 'utf8')) as { pid: number }
  spawnSync(process.execPath, [join(root, 'scripts/memory.ts'), String(pid)], { stdio: 'inherit' })
} finally {
  await product.stop()
}
