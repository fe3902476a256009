import type { StepInput } from '@gantry/contract/pipelines/definition'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { script, work } from '../../test/works.ts'

let server: FakeServer
let agent: AgentProcess

beforeAll(async () => {
  server = await fakeServer()
  agent = await agentProcess(server.url)
})
afterAll(async () => {
  await agent.close()
  await server.close()
})

const write = script('mkdir out; echo one > out/a; echo two > out/b', { name: 'write' })
const ran = async (step: StepInput, ...after: StepInput[]) => {
  const build = server.give(work([write, step, ...after]))
  await build.ended
  const end = build.events.findLast((event) => event.type === 'step' && event.step === 1)
  return { build, key: end?.type === 'step' ? (end.reason?.key ?? 'success') : '' }
}

test.for<[object, [number, number] | null, string]>([
  [{}, null, 'success'],
  [{ minimum: 80 }, null, 'success'],
  [{ minimum: 80.1 }, null, 'agents-coverage-low'],
  [{ maximumDrop: 5 }, null, 'success'],
  [{ maximumDrop: 5 }, [20, 17], 'success'],
  [{ maximumDrop: 4.9 }, [20, 17], 'agents-coverage-dropped'],
])('80 of 100 lines with %j after %j: %s', async ([limits, last, expected]) => {
  const before = last && { number: 3, lines: last[0], covered: last[1] }
  server.on.coverage = () => ({ lines: 10, covered: 8, before })
  const { build, key } = await ran({ type: 'coverage', name: 'cover', files: 'out/*', ...limits })
  expect(key).toBe(expected)
  expect([...build.reports.keys()]).toEqual(['out/a', 'out/b'])
  expect(build.log(1)).toContain(`8 of 10 lines are covered: 80.0%${last ? ', 85.0% in build #3' : ''}`)
})

test.for<[object, string]>([
  [{}, 'success'],
  [{ critical: 0, high: 2 }, 'success'],
  [{ high: 1 }, 'agents-scan-refused'],
  [{ low: 3 }, 'agents-scan-refused'],
])('two high and four low findings in two reports with the limits %j: %s', async ([limits, expected]) => {
  server.on.scan = () => ({ critical: 0, high: 1, medium: 0, low: 2 })
  const after = script('echo "high $GANTRY_OUTPUT_SCAN_HIGH"', { always: true })
  const { build, key } = await ran({ type: 'scan', name: 'scan', files: 'out/*', limits }, after)
  expect(key).toBe(expected)
  expect(build.log(1)).toContain('out/b: 0 critical, 1 high, 0 medium, 2 low')
  expect(build.log(2)).toContain('high 2')
})
