import { batches } from '@gantry/contract/batch-edits/batches'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitionFile } from '@gantry/contract/pipelines/editing/definition-file'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { versions } from '@gantry/contract/pipelines/editing/versions'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { reviews } from '@gantry/contract/pipelines/reviews'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommitStatus, Forges } from '../../../adapters/forges/forges.ts'
import { createGit } from '../../../adapters/git/git.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { gitServer } from '../../../../../agent/test/git-server.ts'
import { testApp } from '../../../../test/test-app.ts'
import { triggerBuild } from '../builds/builds.service.ts'

const statuses: CommitStatus[] = []
const forges: Forges = {
  changedFiles: async () => [],
  setHook: async () => '1',
  removeHook: async () => undefined,
  setStatus: async (_, status) => void statuses.push(status),
}
const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const git = createGit({ path: process.env['PATH'] ?? '', outbound })
const app = await testApp({ ports: { git, forges, outbound } })
const host = await gitServer()
const path = '.gantry.yaml'
const url = `${host.url}/private/hello.git`

const yaml = (step: string) => `# the pipeline of the shop
stages:
  - name: Build # quickly
    steps:
      - name: ${step}
        type: script
        run: make
`
let team: Awaited<ReturnType<typeof app.team>>
beforeAll(async () => {
  team = await app.team()
})
afterAll(async () => {
  await host.close()
  await outbound.close()
})

let branches = 0
/** A pipeline whose definition is in the repository, on a new branch. */
async function inFile(text: string, more: object = {}) {
  const branch = `b${++branches}`
  const commit = await host.commit(branch, { [path]: text }, `first of ${branch}`)
  const pipeline = await testPipeline(app, team)
  const params = { appId: pipeline.appId, pipelineId: pipeline.id }
  const { revision, ...setting } = await team.leader.call(pipelines.setting, { params })
  const repository = { url, branch, username: 'robin', password: 'open sesame' }
  await team.leader.call(pipelines.setSetting, {
    params,
    body: { ...setting, revision, repository, definitionFile: { path }, commitStatus: 'gitea', ...more },
  })
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const trigger = async (body: object = {}) => {
    const { number } = await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body })
    return number
  }
  const read = async (number: number) => {
    await app.drainJobs()
    return team.leader.call(builds.get, { params: { id: pipeline.id, number } })
  }
  const steps = async () => (await agent.claim()).work.flatMap(({ stages }) => stages.flatMap((one) => one.steps))
  return { branch, commit, pipeline, params, agent, trigger, read, steps }
}
const names = (steps: { name: string }[]) => steps.map(({ name }) => name)

describe('a build whose definition is in the repository', () => {
  test('runs the definition of its commit, not the branch’s present one', async () => {
    const { branch, commit, trigger, read, steps } = await inFile(yaml('old'))
    const of = await trigger({ commit })
    const next = await host.commit(branch, { [path]: yaml('new') })
    expect(await read(of)).toMatchObject({ commit, definitionFile: { path, commit, problems: [] } })
    expect(names(await steps())).toEqual(['old'])
    const newest = await trigger()
    expect(await read(newest)).toMatchObject({ commit: next, commitMessage: 'a change' })
    expect(names(await steps())).toContain('new')
  })

  test('keeps its stages when it is retried, whatever was pushed since', async () => {
    const { branch, pipeline, agent, trigger, read, steps } = await inFile(yaml('old'))
    const number = await trigger()
    await read(number)
    const [work] = (await agent.claim()).work
    if (!work) throw new Error('nothing was claimed')
    await agent.events(work, 1, [{ type: 'end', state: 'failed', logs: [] }])
    await host.commit(branch, { [path]: yaml('new') })
    await team.leader.call(builds.retry, { params: { id: pipeline.id, number }, body: {} })
    await app.drainJobs()
    expect(names(await steps())).toEqual(['old'])
  })

  test('is queued at once, and can be stopped before its definition has been read', async () => {
    const { pipeline, trigger, read, steps } = await inFile(yaml('one'))
    const number = await trigger()
    const params = { id: pipeline.id, number }
    expect(await team.leader.call(builds.get, { params })).toMatchObject({
      state: 'queued',
      stages: [],
      definitionFile: { path, commit: '' },
    })
    await team.leader.call(builds.stop, { params })
    expect(await read(number)).toMatchObject({ state: 'aborted' })
    expect(await steps()).toEqual([])
  })

  test('waits for its review even after its definition has been read', async () => {
    const { pipeline, trigger, read, steps } = await inFile(yaml('one'), { review: { count: 1 } })
    const number = await trigger()
    expect(await read(number)).toMatchObject({ state: 'waiting', stages: [{ name: 'Build' }] })
    expect(await steps()).toEqual([])
    const reviewer = await team.member(['pipeline_review_operate', 'pipeline_pipeline_view', 'pipeline_build_view'])
    await reviewer.call(reviews.decide, { params: { id: pipeline.id }, body: { pass: true, number } })
    expect(names(await steps())).toEqual(['one'])
  })

  test.each([
    ['no YAML', 'stages:\n  - name: [\n', 3, 1, /^This is not valid YAML/],
    ['an unknown field', yaml('one').replace('run: make', 'runs: make'), 7, 9, /runs/],
    ['a value of the wrong kind', yaml('one').replace('run: make', 'run: 7'), 7, 14, /stages\.0\.steps\.0\.run/],
    ['a key that appears twice', `${yaml('one')}stages: []\n`, 8, 1, /stages/],
    [
      'a registry of another team',
      yaml('one').replace(
        'type: script\n        run: make',
        'type: image\n        registryId: 999999\n        repository: shop',
      ),
      7,
      21,
      /registry/i,
    ],
    ['no stages', 'stages: []\n', 1, 1, /no stages/],
    [
      'aliases that stand for more than a file can hold',
      `stages: &all [${'1,'.repeat(3_000)}]\nagain: [${'*all ,'.repeat(90)}]\n`,
      1,
      1,
      /aliases/,
    ],
  ])('fails because of %s, with the place on its page and at the git host', async (_, text, line, column, words) => {
    const { commit, pipeline, trigger, read } = await inFile(text)
    const number = await trigger()
    const build = await read(number)
    expect(build).toMatchObject({ state: 'failed', commit, definitionFile: { commit } })
    const [problem] = build.definitionFile?.problems ?? []
    expect(problem).toMatchObject({ line, column, text: expect.stringMatching(words) })
    expect(build.message).toContain(`line ${line}, column ${column}`)
    await app.drainJobs()
    expect(statuses.findLast((one) => one.commit === commit)).toMatchObject({
      state: 'failed',
      description: expect.stringContaining(`${line}:${column}`),
    })
    const chinese = await team.leader.request(
      builds.get,
      { params: { id: pipeline.id, number } },
      { 'accept-language': 'zh' },
    )
    expect(chinese.body).toContain(`第 ${line} 行第 ${column} 列`)
  })

  test('fails if its commit has no such file, and says what to do', async () => {
    const { branch, commit, pipeline, trigger, read, steps } = await inFile(yaml('one'), {
      definitionFile: { path: 'ci/gone.yml' },
    })
    const number = await trigger()
    const failed = await read(number)
    expect(failed).toMatchObject({
      state: 'failed',
      commit,
      message: `The commit ${commit} has no file ci/gone.yml. Add it to the branch and push it, or change the path in the pipeline’s settings.`,
    })
    await host.commit(branch, { 'ci/gone.yml': yaml('there') })
    // a retry uses the same commit, a new build the newest
    await team.leader.call(builds.retry, { params: { id: pipeline.id, number }, body: {} })
    expect(await read(number)).toMatchObject({ state: 'failed', commit })
    expect(await read(await trigger())).toMatchObject({ state: 'queued', stages: [{ name: 'Build' }] })
    expect(names(await steps())).toEqual(['there'])
  })

  test('fails if its repository cannot be reached, and a retry reads the definition again', async () => {
    const { pipeline, params, trigger, read } = await inFile(yaml('one'))
    const { revision, ...setting } = await team.leader.call(pipelines.setting, { params })
    await app.db.updateTable('pipeline').set({ repository_username: 'ben' }).where('id', '=', pipeline.id).execute()
    const number = await trigger()
    expect(await read(number)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('rejected the username'),
    })
    await team.leader.call(pipelines.setSetting, { params, body: { ...setting, revision } })
    await team.leader.call(builds.retry, { params: { id: pipeline.id, number }, body: {} })
    expect(await read(number)).toMatchObject({ state: 'queued', stages: [{ name: 'Build' }] })
  })

  test('of a fork’s merge request runs the definition of the target branch', async () => {
    const { branch, pipeline, trigger, read, steps } = await inFile(yaml('trusted'))
    const commit = await host.commit(`${branch}-fork`, { [path]: yaml('smuggled') })
    const mergeRequest = { number: 7, source: `${branch}-fork`, target: branch, fork: true }
    const { number } = await triggerBuild(app.ctx(), pipeline.id, {
      cause: 'webhook',
      branch: `${branch}-fork`,
      commit,
      mergeRequest,
    })
    expect(await read(number)).toMatchObject({ commit })
    expect(names(await steps())).toEqual(['trusted'])
    // a manual build of the same commit is not trusted more
    await read(await trigger({ branch: `${branch}-fork`, commit }))
    expect(new Set(names(await steps()))).toEqual(new Set(['trusted']))
  })
})

describe('a pipeline whose definition is in the repository', () => {
  test('shows the file with its problems, and the console takes it over with its comments', async () => {
    const { branch, commit, pipeline, params } = await inFile(yaml('one'))
    const of = { params: { id: pipeline.id } }
    const file = await team.leader.call(definitionFile.read, of)
    expect(file).toMatchObject({
      path,
      branch,
      commit,
      message: `first of ${branch}`,
      text: yaml('one'),
      problems: [],
    })
    await host.commit(branch, { [path]: 'stages: 7\n' })
    expect((await team.leader.call(definitionFile.read, of)).problems).toMatchObject([{ line: 1, column: 9 }])

    // the commit that was shown is taken over
    const { revision } = await team.leader.call(definitionFile.takeOver, { ...of, body: { commit } })
    expect(await team.leader.call(definitions.get, { params })).toMatchObject({
      revision,
      text: yaml('one'),
      stages: [{ name: 'Build', steps: [{ name: 'one' }] }],
    })
    const [newest] = (await team.leader.call(versions.list, of)).items
    expect(newest?.fields).toEqual(expect.arrayContaining(['definition', 'definitionText', 'definitionFile']))
    await expect(team.leader.call(definitionFile.read, of)).rejects.toMatchObject({ key: 'pipelines-file-not-used' })
  })

  test('cannot be edited here: one pipeline is refused, a batch gives the reason', async () => {
    const { pipeline, params } = await inFile(yaml('one'))
    await expect(team.leader.call(definitions.set, { params, body: { stages: [] } })).rejects.toMatchObject({
      status: 409,
      key: 'pipelines-file-decides',
    })
    const preview = await team.leader.call(batches.validate, {
      body: {
        teamId: team.id,
        selection: { ids: [pipeline.id] },
        changes: [{ type: 'set-step', step: 'script', field: 'run', value: 'make all', where: {} }],
      },
    })
    expect(preview.items).toMatchObject([{ outcome: 'refused', reason: expect.stringContaining(path) }])
  })

  test('needs a repository, and a path within it', async () => {
    const { params } = await inFile(yaml('one'))
    const { revision, ...setting } = await team.leader.call(pipelines.setting, { params })
    const set = (more: object) =>
      team.leader.call(pipelines.setSetting, { params, body: { ...setting, revision, ...more } })
    await expect(set({ repository: null })).rejects.toMatchObject({ key: 'pipelines-file-without-repository' })
    for (const bad of ['../x.yaml', '/etc/x.yaml', 'a//b.yml', 'x.txt', 'a/./b.yml', 'a\\b.yml', ''])
      await expect(set({ definitionFile: { path: bad } })).rejects.toMatchObject({ status: 400 })
  })
})

describe('approvers that a file names', () => {
  const asking = (name: string) => `stages:
  - name: Ship
    mode: approve
    approval: { users: [${name}] }
    steps:
      - { name: ship, type: script, run: 'true' }
`
  test('are looked up when it is read; a name from outside the team fails the build, with the place', async () => {
    const { trigger, read } = await inFile(asking('mistyped'))
    const failed = await read(await trigger())
    expect(failed).toMatchObject({ state: 'failed', definitionFile: { problems: [{ line: 4 }] } })
    expect(failed.definitionFile?.problems[0]?.text).toContain('mistyped')
  })

  test('are the users who had the name at that time', async () => {
    const approver = ['pipeline_build_view', 'pipeline_review_operate']
    const [named, other] = [await team.member(approver), await team.member(approver)]
    const { pipeline, trigger, read } = await inFile(asking(named.name))
    const number = await trigger()
    expect(await read(number)).toMatchObject({ state: 'waiting' })
    await app.db.updateTable('account').set({ user_name: 'renamed' }).where('id', '=', named.id).execute()
    await app.db.updateTable('account').set({ user_name: named.name }).where('id', '=', other.id).execute()
    const decide = (by: typeof named) =>
      by.call(builds.decide, { params: { id: pipeline.id, number, stage: 'Ship' }, body: { pass: true } })
    await expect(decide(other)).rejects.toMatchObject({ key: 'pipelines-gate-others' })
    await decide(named)
  })
})
