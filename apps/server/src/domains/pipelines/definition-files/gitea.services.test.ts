import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitionFile } from '@gantry/contract/pipelines/editing/definition-file'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labService } from '../../../../test/lab.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { createForges } from '../../../adapters/forges/forges.ts'
import { createGit } from '../../../adapters/git/git.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'

const lab = labService('gitea')

describe.skipIf(lab === undefined)('a definition in a real Gitea (needs the lab’s gitea)', async () => {
  const { GITEA_URL: origin = '', GITEA_USER: username = '', GITEA_TOKEN: token = '' } = lab ?? {}
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const git = createGit({ path: process.env['PATH'] ?? '', outbound })
  const app = await testApp({ ports: { outbound, git, forges: createForges(outbound) } })
  const team = await app.team()
  const name = `stages-${process.pid}`
  const url = `${origin}/${username}/${name}.git`
  const folder = testFolder('stages')

  const api = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${origin}/api/v1/${path}`, {
      method,
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.status === 204 ? undefined : ((await answer.json()) as unknown)
  }
  const run = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  const push = (text: string): string => {
    writeFileSync(join(folder, '.gantry.yaml'), text)
    run('add', '--all')
    run('commit', '--quiet', '--message', 'the stages')
    run('push', '--quiet', url.replace('://', `://${username}:${token}@`), 'main')
    return run('rev-parse', 'HEAD')
  }
  const yaml = (step: string) =>
    `stages:\n  - name: Build\n    steps:\n      - name: ${step}\n        type: script\n        run: make\n`

  beforeAll(async () => {
    await api('POST', 'user/repos', { name, private: true, default_branch: 'main' })
    run('init', '--quiet', '--initial-branch=main')
  })
  afterAll(async () => {
    await api('DELETE', `repos/${username}/${name}`)
    await outbound.close()
  })

  test('is read at the build’s commit; an invalid one fails the build and its commit status, with line and column', async () => {
    const first = push(yaml('first'))
    push(yaml('second'))
    const appId = (await team.leader.call(groups.create, { params: { teamId: team.id }, body: { name: 'files' } })).id
    const repository = { url, branch: 'main', username, password: token }
    const { id } = await team.leader.call(definitions.create, { body: { appId, projectName: 'web', repository } })
    const params = { appId, pipelineId: id }
    const { revision, ...setting } = await team.leader.call(pipelines.setting, { params })
    await team.leader.call(pipelines.setSetting, {
      params,
      body: { ...setting, revision, commitStatus: 'gitea', definitionFile: {} },
    })
    const build = async (commit?: string) => {
      const body = commit === undefined ? {} : { commit }
      const { number } = await team.leader.call(builds.trigger, { params: { id }, body })
      await app.drainJobs()
      return team.leader.call(builds.get, { params: { id, number } })
    }
    expect((await build(first)).stages).toMatchObject([{ name: 'Build', steps: [{ name: 'first' }] }])
    expect((await build()).stages).toMatchObject([{ name: 'Build', steps: [{ name: 'second' }] }])
    expect((await team.leader.call(definitionFile.read, { params: { id } })).text).toBe(yaml('second'))

    const broken = push(yaml('third').replace('run:', 'runs:'))
    expect(await build()).toMatchObject({
      state: 'failed',
      commit: broken,
      definitionFile: { problems: expect.arrayContaining([expect.objectContaining({ line: 6, column: 9 })]) },
    })
    await eventually(
      async () =>
        expect(await api('GET', `repos/${username}/${name}/commits/${broken}/statuses`)).toContainEqual(
          expect.objectContaining({ status: 'failure', description: expect.stringContaining(': 6:9') }),
        ),
      undefined,
      { ms: 20_000, everyMs: 250 },
    )
  }, 60_000)
})
