import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { builds } from '@gantry/contract/pipelines/builds'
import type { StageInput, StepInput } from '@gantry/contract/pipelines/definition'
import { type BuildState, isEnded } from '@gantry/contract/pipelines/states'
import { figure, ms, repeat } from './figures.ts'
import type { Caller } from '../e2e/caller.ts'

let made = 0

/** A pipeline of one stage with these steps, or of these stages. */
export async function newPipeline({ call }: Caller, teamId: number, of: StepInput[] | StageInput[]): Promise<number> {
  const name = `bench ${++made}`
  const group = await call(groups.create, { params: { teamId }, body: { name } })
  const isStages = (some: StepInput[] | StageInput[]): some is StageInput[] => some.every((one) => !('type' in one))
  const definition = { stages: isStages(of) ? of : [{ name: 'only', steps: of }] }
  return (await call(definitions.create, { body: { appId: group.id, projectName: name, definition } })).id
}

export const pause = (millis: number) => new Promise((later) => setTimeout(later, millis))

export async function ended(
  { call }: Caller,
  id: number,
  number: number,
  every = 2,
  as: BuildState = 'success',
): Promise<void> {
  for (;;) {
    const build = await call(builds.get, { params: { id, number } })
    if (isEnded(build.state) && build.state !== as) throw new Error(`build ${number} ${build.state}: ${build.message}`)
    if (isEnded(build.state)) return
    await pause(every)
  }
}

export const script = (run: string): StepInput => ({ type: 'script', name: 'run', run })

/**
 * Builds through the whole product: server, queue, agent, isolation, log. The peer is Woodpecker 3.17 (local backend).
 */
export async function benchBuilds(admin: Caller, teamId: number): Promise<void> {
  const { call } = admin
  const trigger = (id: number) => call(builds.trigger, { params: { id }, body: {} })

  const hello = await newPipeline(admin, teamId, [script('echo "written by the step"; sleep 0.2')])
  const firstLine = await repeat(15, async () => {
    const started = performance.now()
    const { number } = await trigger(hello)
    for (;;) {
      const log = await call(builds.log, { params: { id: hello, number, stage: 'only' }, query: {} })
      if (log.lines.some((line) => line.text === 'written by the step')) break
      await pause(2)
    }
    const took = performance.now() - started
    await ended(admin, hello, number, 20)
    return took
  })
  figure('trigger → first line that the step wrote', firstLine, ms, '1,199 ms')

  const nothing = await newPipeline(admin, teamId, [script('true')])
  const done = await repeat(20, async () => {
    const started = performance.now()
    const { number } = await trigger(nothing)
    await ended(admin, nothing, number)
    return performance.now() - started
  })
  figure('trigger → done of a step `true`', done, ms, '203 ms')

  const rounds = await repeat(3, async () => {
    const started = performance.now()
    const numbers: number[] = []
    for (let batch = 0; batch < 10; batch++)
      numbers.push(...(await Promise.all(Array.from({ length: 10 }, () => trigger(nothing)))).map((one) => one.number))
    for (const number of numbers) await ended(admin, nothing, number, 10)
    return (performance.now() - started) / 100
  })
  figure('100 such builds, capacity 2, ten triggers at a time: a build', rounds, ms, '122 ms, 11 refused')

  for (const [lines, peer] of [
    [100_000, '1.6 s with files'],
    [1_000_000, '3.0 s with files'],
  ] as const) {
    const talker = await newPipeline(admin, teamId, [
      script(`seq -f 'line %.0f of a build that has much to say' 1 ${lines}`),
    ])
    const whole = await repeat(5, async () => {
      const started = performance.now()
      const { number } = await trigger(talker)
      await ended(admin, talker, number, 10)
      const query = { offset: -1, limit: 1 }
      const log = await call(builds.log, { params: { id: talker, number, stage: 'only' }, query })
      if (log.total !== lines || !log.complete) throw new Error(`${log.total} of ${lines} lines`)
      return performance.now() - started
    })
    figure(`${lines.toLocaleString('en')} lines until the whole log is readable`, whole, ms, peer)
    const end = await repeat(10, async () => {
      const started = performance.now()
      await call(builds.log, { params: { id: talker, number: 1, stage: 'only' }, query: { offset: -1, limit: 1000 } })
      return performance.now() - started
    })
    figure(`the last 1,000 of ${lines.toLocaleString('en')} lines`, end, ms)
  }
}
