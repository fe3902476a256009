import { builds } from '@gantry/contract/pipelines/builds'
import { credentials } from '@gantry/contract/pipelines/credentials'
import { proposals } from '@gantry/contract/pipelines/editing/proposals'
import { triggers } from '@gantry/contract/pipelines/triggers'
import { host } from '@gantry/contract/settings/host'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labService } from '../../../../test/lab.ts'
import { socketClient } from '../../../../test/socket-client.ts'
import { testApp } from '../../../../test/test-app.ts'
import { createForges } from '../../../adapters/forges/forges.ts'
import { createGit } from '../../../adapters/git/git.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'

const lab = labService('gitea')

describe.skipIf(lab === undefined)('an unknown repository of a real Gitea (needs the lab’s gitea)', async () => {
  const { GITEA_URL: origin = '', GITEA_USER: username = '', GITEA_TOKEN: token = '' } = lab ?? {}
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const git = createGit({ path: process.env['PATH'] ?? '', outbound })
  const app = await testApp({ ports: { outbound, git, forges: createForges(outbound) } })
  const team = await app.team()
  const name = `onboard-${process.pid}`
  const url = `${origin}/${username}/${name}.git`
  const api = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${origin}/api/v1/${path}`, {
      method,
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text
  }
  /** Writes a file and returns the commit. */
  const put = async (path: string, text: string): Promise<string> => {
    const said = await api('POST', `repos/${username}/${name}/contents/${path}`, {
      content: Buffer.from(text).toString('base64'),
      message: `add ${path}`,
    })
    return (JSON.parse(said) as { commit: { sha: string } }).commit.sha
  }

  beforeAll(async () => {
    const { origin: own } = await socketClient(app)
    await app.admin.call(host.set, { body: { publicUrl: own, notice: '' } })
    await api('POST', 'user/repos', { name, private: true, default_branch: 'main' })
    await put('go.mod', 'module lights\n\ngo 1.22\n')
    await put('lights_test.go', 'package lights\n')
  })
  afterAll(async () => {
    await api('DELETE', `repos/${username}/${name}`)
    await outbound.close()
  })

  test('needs its token, becomes a pipeline, and the first delivery of its webhook arrives', async () => {
    const params = { teamId: team.id }
    const look = (repository: object) =>
      team.leader.call(proposals.look, { params, body: { repository: { url, ...repository } } })
    await expect(look({})).rejects.toMatchObject({ key: 'git-password-needed' })
    const { branch, proposals: found } = await look({ username, password: token })
    expect(found[0]).toMatchObject({ kind: 'go', because: ['go.mod'], tests: 'go test' })
    const pipeline = await team.leader.call(proposals.create, {
      params,
      body: {
        projectName: 'lights',
        repository: { url, branch, username, password: token },
        keepCredential: true,
        ...(found[0] && { definition: found[0].definition }),
      },
    })
    expect((await team.leader.call(credentials.list, { params })).items).toMatchObject([{ username, pipelineNum: 1 }])
    const of = { id: pipeline.id }
    const first = await team.leader.call(builds.trigger, { params: of, body: {} })
    expect(first.number).toBe(1)
    const { id: triggerId } = await team.leader.call(triggers.create, {
      params: of,
      body: { rule: { kind: 'webhook', events: ['push'] } },
    })
    // uses the stored credential
    const set = { params: { ...of, triggerId }, body: { forge: 'gitea' as const } }
    expect(await team.leader.call(triggers.setHook, set)).toMatchObject({ hook: 'gitea', last: null })
    const commit = await put('README.md', 'hello\n')
    await eventually(
      async () => {
        const [trigger] = await team.leader.call(triggers.list, { params: of })
        expect(trigger?.last).toMatchObject({ event: 'push main', outcome: 'started' })
        // a busy Gitea also delivers the pushes from before the webhook was set, each of which starts a build
        const { number } = trigger?.last ?? {}
        const built = await team.leader.call(builds.get, { params: { ...of, number: number ?? 0 } })
        expect(built).toMatchObject({ cause: 'webhook', commit })
      },
      undefined,
      { ms: 30_000 },
    )
  }, 120_000)
})
