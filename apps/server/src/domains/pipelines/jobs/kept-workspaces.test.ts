import { builds } from '@gantry/contract/pipelines/builds'
import { Definition, type StageInput } from '@gantry/contract/pipelines/definition'
import { expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()
const team = await app.team()
const script = { type: 'script' as const, name: 'run', run: 'false' }

/** The work of a build's first attempt and of a retry after its failure, ordered by the jobs' names. */
async function attemptsOf(stages: StageInput[]) {
  const { id, projectName } = await testPipeline(app, team, [], stages)
  const agent = await testAgent(app, { labels: [projectName] })
  const { number } = await team.leader.call(builds.trigger, { params: { id }, body: {} })
  const attempt = async () => {
    const { work } = await agent.claim()
    for (const job of work) await agent.events(job, 1, [{ type: 'end', state: 'failed', logs: [] }])
    return work
      .map(({ environment, workspace }) => ({
        job: environment.find(({ name }) => name === 'GANTRY_JOB')?.value ?? '',
        workspace,
      }))
      .toSorted((a, b) => a.job.localeCompare(b.job))
  }
  const first = await attempt()
  await team.leader.call(builds.retry, { params: { id, number }, body: { from: 'failed' } })
  return { first, second: await attempt() }
}

test('each job that keeps its workspace has its own key, the same for each attempt', async () => {
  const { first, second } = await attemptsOf([
    {
      name: 'jobs',
      jobs: [
        { name: 'a', keepsWorkspace: true, matrix: { axes: { V: ['1', '2'] } }, steps: [script] },
        { name: 'b', steps: [script] },
      ],
    },
  ])
  expect(first.map(({ job }) => job)).toEqual(['a', 'a', 'b'])
  expect(first.at(-1)?.workspace).toBeNull()
  expect(new Set(first.map(({ workspace }) => workspace)).size).toBe(3)
  expect(new Set(second.map(({ workspace }) => workspace))).toEqual(new Set(first.map(({ workspace }) => workspace)))
})

test('one of the stages that share a workspace makes them keep it', async () => {
  const { first } = await attemptsOf([
    { name: 'one', steps: [script] },
    { name: 'two', keepsWorkspace: true, steps: [{ ...script, name: 'more' }] },
  ])
  expect(first).toEqual([{ job: '', workspace: expect.any(String) as unknown }])
})

test('a stage with jobs cannot keep a workspace', () => {
  const stage = { name: 'jobs', keepsWorkspace: true, jobs: [{ name: 'a', steps: [script] }] }
  expect(Definition.safeParse({ stages: [stage] }).error?.issues).toMatchObject([
    { path: ['stages', 0, 'keepsWorkspace'], message: 'stage-keeps-workspace-jobs' },
  ])
})
