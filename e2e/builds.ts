import { builds, type Build } from '@gantry/contract/pipelines/builds'
import { isEnded } from '@gantry/contract/pipelines/states'
import { eventually } from '@gantry/waiting/eventually'
import type { Calls } from './caller.ts'

/** For builds, services and a whole product, which take their own time. */
export const patient = { ms: 100_000, everyMs: 100 }

/** The build after it has ended; retries while the server is away. */
export const ended = (user: Calls, pipelineId: number, number: number): Promise<Build> =>
  eventually(
    () => user.call(builds.get, { params: { id: pipelineId, number } }),
    ({ state }) => isEnded(state),
    patient,
  )

/** Triggers a build by hand and waits for its end. */
export async function runBuild(user: Calls, pipelineId: number): Promise<Build> {
  const { number } = await user.call(builds.trigger, { params: { id: pipelineId }, body: {} })
  return ended(user, pipelineId, number)
}

interface Line {
  text: string
  at: number | null
}

/** The lines of a step's log, as text. */
export const logOf = async (user: Calls, pipelineId: number, build: Build, stepName: string): Promise<string[]> =>
  (await linesOf(user, pipelineId, build, stepName)).map(({ text }) => text)

/** Every line of a step's log, page by page, as the log view reads it. */
export async function linesOf(user: Calls, pipelineId: number, build: Build, stepName: string): Promise<Line[]> {
  const stage = build.stages.find(({ steps }) => steps.some(({ name }) => name === stepName))
  const step = stage?.steps.find(({ name }) => name === stepName)
  if (!stage || !step) throw new Error(`build ${build.number} has no step ${stepName}`)
  const lines: Line[] = []
  for (;;) {
    const page = await user.call(builds.log, {
      params: { id: pipelineId, stage: stage.name, number: build.number },
      query: { step: step.index, offset: lines.length, limit: 5000 },
    })
    lines.push(...page.lines)
    if (page.lines.length === 0 || lines.length >= page.total) return lines
  }
}

/** The outcome of a build, in a form that a failed expectation shows completely. */
export const outcome = (build: Build) => ({
  state: build.state,
  message: build.message,
  steps: Object.fromEntries(
    build.stages.flatMap(({ steps }) => steps.map(({ name, state, message }) => [name, `${state} ${message}`.trim()])),
  ),
})
