import { setTimeout as sleep } from 'node:timers/promises'
import { clusters } from '@gantry/contract/clusters/clusters'
import { registries } from '@gantry/contract/images/registries'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { ended, linesOf, outcome, patient } from './builds.ts'
import { startProduct, type PartName, type Product } from './product.ts'

/** Any part is killed at any time: running work still ends correctly, and confirmed changes are kept. */

const lines = 20_000
const portions = 40

/** Prints numbered lines for about four seconds. */
const numbered = `for n in $(seq 0 ${portions - 1})
do
  seq $((n * ${lines / portions} + 1)) $(((n + 1) * ${lines / portions}))
  sleep 0.1
done
mkdir out
echo "$GANTRY_BUILD_NUMBER" > out/number`

let product: Product
let team: number
let pipeline: { id: number; appId: number }
let place: { teamId: number; envId: string; uuid: string }

beforeAll(async () => {
  product = await startProduct()
  const { admin } = product
  team = admin.teams[0]?.id ?? 0
  const envs = await admin.call(clusters.ofTeam, { params: { teamId: team } })
  const envId = envs[0]?.uuid ?? ''
  const [registry] = await admin.call(registries.list, { params: { teamId: team } })
  const stack = await admin.call(stacks.create, { params: { teamId: team }, body: { name: 'faults', envId } })
  place = { teamId: team, envId, uuid: stack.uuid }
  const group = await admin.call(groups.create, { params: { teamId: team }, body: { name: 'faults' } })
  pipeline = await admin.call(definitions.create, {
    body: {
      appId: group.id,
      projectName: 'faults',
      definition: {
        stages: [
          {
            name: 'build',
            steps: [
              { type: 'script', name: 'numbers', run: numbered },
              {
                type: 'image',
                name: 'image',
                registryId: registry?.id ?? 0,
                repository: `${registry?.prefix}faults/web`,
                copy: [{ from: 'out/**', to: '/' }],
                entrypoint: ['/web'],
              },
              {
                type: 'deploy',
                name: 'deploy',
                stackUuid: stack.uuid,
                service: 'web',
                // each pod has to run for a second before the next one starts, which leaves time for the kill
                create: { replicas: 3 },
              },
            ],
          },
        ],
      },
    },
  })
})
afterAll(() => product?.stop())

const service = async () => (await product.admin.call(services.list, { params: place })).items[0]

/** Polls often enough to kill a part in the middle of its work. */
const closely = { ...patient, everyMs: 20 }

/** Creates pipeline groups one after another until it is stopped; answers those that the server has confirmed. */
function makeGroups(prefix: string) {
  const answered: string[] = []
  const stopped = new AbortController()
  const working = (async () => {
    for (let n = 0; !stopped.signal.aborted; n++) {
      const name = `${prefix} ${n}`
      const made = product.admin.call(groups.create, { params: { teamId: team }, body: { name } })
      await made.then(() => answered.push(name)).catch(() => undefined)
      await sleep(50)
    }
  })()
  return async (): Promise<string[]> => {
    stopped.abort()
    await working
    return answered
  }
}

/** Undefined if the log is 1 to 20,000, with ascending times; otherwise the first line that is wrong. */
const firstWrong = (log: Awaited<ReturnType<typeof linesOf>>): string | undefined => {
  const at = log.findIndex(({ text }, n) => text !== String(n + 1))
  if (at !== -1) return `line ${at + 1} is ${log[at]?.text}`
  const timed = log.findIndex((line, n) => line.at === null || line.at < (log[n - 1]?.at ?? 0))
  if (timed !== -1) return `line ${timed + 1} came at ${log[timed]?.at}`
  return log.length === lines ? undefined : `${log.length} lines`
}

test.each<PartName>(['server', 'agent', 'sandbox', 'postgres'])(
  'the %s is killed while a build runs, and again while it deploys: both end correctly, and nothing is lost',
  async (part) => {
    const { admin } = product
    const answered = makeGroups(part)
    const { number } = await admin.call(builds.trigger, { params: { id: pipeline.id }, body: {} })

    await eventually(
      () => admin.call(builds.get, { params: { id: pipeline.id, number } }),
      ({ stages }) => (stages[0]?.steps[0]?.logLines ?? 0) > lines / 5,
      closely,
    )
    const first = product.pid(part)
    product.kill(part)

    await eventually(service, (now) => now?.state === 'deploying' || now?.state === 'upgrading', closely)
    const second = product.pid(part)
    expect(second).not.toBe(first)
    product.kill(part)

    const build = await ended(admin, pipeline.id, number)
    expect(outcome(build)).toMatchObject({ state: 'success' })
    expect(build.attempt).toBe(1)
    expect(
      firstWrong(await eventually(() => linesOf(admin, pipeline.id, build, 'numbers'), undefined, patient)),
    ).toBeUndefined()
    const settled = await eventually(service, (now) => now?.live.state === 'live' && now.ready === 3, patient)
    expect(settled).toMatchObject({ state: 'stable', digest: build.images[0]?.digest, message: '' })
    const names = await answered()
    expect(names.length).toBeGreaterThan(10)
    const { items } = await admin.call(groups.list, {
      params: { teamId: team },
      query: { pageSize: -1, keyword: part },
    })
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
  },
)
