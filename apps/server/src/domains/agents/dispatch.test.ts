import { builds } from '@gantry/contract/pipelines/builds'
import { expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../test/build-agent.ts'
import { statementsOf } from '../../../test/statements.ts'
import { testApp } from '../../../test/test-app.ts'

const app = await testApp()

/** The result of `work`, and the statements that the database got for it. */
async function during<T>(work: () => Promise<T>): Promise<[T, string[]]> {
  await app.server.events.settle()
  const { result, statements } = await statementsOf(app, work)
  // notifications of open pages do not count
  return [result, statements.map(({ text }) => text).filter((text) => !/pg_notify|from "outbox"/.test(text))]
}

test('a build of one step takes few statements from trigger to end', async () => {
  const team = await app.team()
  const pipeline = await testPipeline(app, team, [{ type: 'script', name: 'nothing', run: 'true' }])
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const at = Date.now()
  const one = async () => {
    const [{ number }, trigger] = await during(() =>
      team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} }),
    )
    const [claimed, claim] = await during(() => agent.claim(1))
    const job = claimed.work[0]
    if (!job) throw new Error('nothing was claimed')
    const [, events] = await during(() =>
      agent.events(job, 1, [
        { type: 'step', step: 0, state: 'building', at },
        { type: 'step', step: 0, state: 'success', exitCode: 0, at },
        { type: 'end', state: 'success', logs: [{ step: 0, bytes: 0 }] },
      ]),
    )
    const build = await team.leader.call(builds.get, { params: { id: pipeline.id, number } })
    expect(build.state).toBe('success')
    return { trigger, claim, events }
  }
  // the server runs other statements meanwhile, so the fewest of three runs count
  const runs = [await one(), await one(), await one()]
  const fewest = (part: keyof (typeof runs)[0]) => Math.min(...runs.map((asks) => asks[part].length))
  const counts = { trigger: fewest('trigger'), claim: fewest('claim'), events: fewest('events') }
  expect(counts).toEqual({ trigger: 11, claim: 14, events: 28 })
})
