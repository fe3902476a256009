import { randomUUID } from 'node:crypto'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { eventually } from '@gantry/waiting/eventually'
import { expect, test, type TestContext } from 'vitest'
import { type GitServer, gitServer } from '../test/git-server.ts'
import { servedAgent } from '../test/served-agent.ts'
import { script, work } from '../test/works.ts'

interface Attempt {
  passed?: number[]
  gone?: boolean
  stages?: Record<string, StepInput[]>
}

/** Each step that runs adds its name to the workspace; the last one fails until a file repairs it. */
const plain: Record<string, StepInput[]> = {
  Build: [script('echo build >> runs; echo token > "$HOME/login"; echo OF=build >> "$GANTRY_OUTPUT"')],
  Test: [script('echo test >> runs')],
  Deploy: [
    script(
      'echo deploy >> runs; cat "$HOME/login"; cat runs; echo OF=deploy >> "$GANTRY_OUTPUT"; wc -l < "$GANTRY_OUTPUT"; exit 1',
    ),
  ],
}

/** Starts an agent, and runs attempts of one job with several stages. */
async function jobOf(context: TestContext, repository?: GitServer) {
  const { server, agent } = await servedAgent(context)
  const workspace = randomUUID()
  const { jobId } = work([])
  const give = (attempt: number, { passed = [], gone = false, stages = plain }: Attempt = {}) => {
    const of = {
      ...work([], { jobId, attempt, resume: { workspace, passed, gone } }),
      stages: Object.entries(stages).map(([name, steps]) => ({ name, steps })),
      repository: repository
        ? { url: `${repository.url}/smart/hello.git`, branch: 'main', commit: '', username: '', password: '' }
        : null,
    }
    return server.give(of)
  }
  return {
    agent,
    server,
    give,
    attempt: async (...given: Parameters<typeof give>) => {
      const build = give(...given)
      const end = await build.ended
      // once its slot is free, its workspace has been kept
      await eventually(() => expect(server.claims.at(-1)?.holding).toEqual([]))
      return { end, log: build.log, ran: build.events.flatMap((one) => (one.type === 'step' ? [one.step] : [])) }
    },
  }
}

test.concurrent('an attempt continues in the workspace of the previous one, and does not repeat stages that have passed', async (context) => {
  const { attempt } = await jobOf(context)
  const first = await attempt(1)
  expect(first.log(2)).toBe('token\nbuild\ntest\ndeploy\n1\n')
  const second = await attempt(2, { passed: [0, 1] })
  expect(new Set(second.ran)).toEqual(new Set([2]))
  const says = 'in which these stages have passed: Build, Test\n'
  expect(second.log(2)).toBe(`Goes on with the workspace of attempt 1, ${says}token\nbuild\ntest\ndeploy\ndeploy\n1\n`)
  // and so does the third attempt
  const third = await attempt(3, { passed: [0, 1] })
  expect(third.log(2)).toContain(`attempt 2, ${says}token\nbuild\ntest\ndeploy\ndeploy\ndeploy\n`)
})

test.concurrent('without that workspace no step runs, and the next attempt runs all and says why', async (context) => {
  const { agent, attempt } = await jobOf(context)
  const whyGone = (of: number) => ({
    state: 'failed',
    logs: [],
    reason: { key: 'agents-workspace-gone', vars: { attempt: of } },
  })
  // this agent has kept nothing of it
  const none = await attempt(2, { passed: [0, 1] })
  expect([none.end, none.ran]).toEqual([{ type: 'end', ...whyGone(1) }, []])
  const all = await attempt(3, { gone: true })
  expect(all.log(0)).toContain(
    'Runs from the first stage: the workspace in which earlier stages had passed is not there',
  )
  expect(all.log(2)).toContain('build\ntest\ndeploy\n1\n')
  // changes that another agent's attempt has made since are not here
  expect((await attempt(5, { passed: [0, 1] })).end).toMatchObject(whyGone(4))
  expect((await attempt(4, { passed: [0, 1] })).end).toMatchObject({ reason: { key: 'agents-script-failed' } })
  expect(agent.log()).not.toContain('"level":"error"')
})

test.concurrent('a job whose first stage fails, and one that starts anew, begin with an empty workspace', async (context) => {
  const { attempt } = await jobOf(context)
  const stages = { Build: [script('ls -A; echo build >> runs; exit 1')], Deploy: [script('true')] }
  await attempt(1, { stages })
  expect((await attempt(2, { stages })).log(0)).toBe('')
  await attempt(3)
  expect((await attempt(4, { stages })).log(0)).toBe('')
})

test.concurrent('a job that was stopped continues where it was stopped', async (context) => {
  const { attempt, give, server } = await jobOf(context)
  const waits = { ...plain, Deploy: [script('echo waits; sleep 60')] }
  const build = give(1, { stages: waits })
  await eventually(() => expect(build.log(2)).toBe('waits\n'))
  server.cancel(build.work.jobId)
  expect(await build.ended).toMatchObject({ state: 'aborted' })
  await eventually(() => expect(server.claims.at(-1)?.holding).toEqual([]))
  expect((await attempt(2, { passed: [0, 1] })).log(2)).toContain('token\nbuild\ntest\ndeploy\n')
})

test.concurrent('a build’s changes to its repository are kept, unless a checkout is still to come', async (context) => {
  const repository = await gitServer()
  context.onTestFinished(() => repository.close())
  await repository.commit('main', { version: 'snapshot\n' }, 'The commit')
  const { attempt } = await jobOf(context, repository)
  const looks = script('cat version; git log -1 --format=%s 2>/dev/null || echo none; exit 1')
  const sources = { name: 'sources', type: 'checkout' as const }
  const stages = {
    Build: [sources, script('echo release > version; git config core.hooksPath hooks')],
    Deploy: [looks],
  }
  await attempt(1, { stages })
  expect((await attempt(2, { stages, passed: [0, 1] })).log(2)).toContain('release\nThe commit\n')
  const again = { ...stages, Deploy: [looks, { ...sources, name: 'again', always: true }] }
  expect((await attempt(3, { stages: again, passed: [0, 1] })).log(2)).toContain('release\nnone\n')
})
