import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { type ForgeEventKind, triggers } from '@gantry/contract/pipelines/triggers'
import { host } from '@gantry/contract/settings/host'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labService } from '../../../../test/lab.ts'
import { socketClient } from '../../../../test/socket-client.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { createForges } from '../../../adapters/forges/forges.ts'
import { createGit } from '../../../adapters/git/git.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'

const lab = labService('gitea')

describe.skipIf(lab === undefined)('a real Gitea (needs the lab’s gitea)', async () => {
  const { GITEA_URL: origin = '', GITEA_USER: username = '', GITEA_TOKEN: token = '' } = lab ?? {}
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const git = createGit({ path: process.env['PATH'] ?? '', outbound })
  const app = await testApp({ ports: { outbound, git, forges: createForges(outbound) } })
  const team = await app.team()
  const name = `mono-${process.pid}`
  const url = `${origin}/${username}/${name}.git`
  const folder = testFolder('mono')
  let appId = 0

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
  const remote = url.replace('://', `://${username}:${token}@`)
  const change = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `${Math.random()}\n`)
  }
  const push = (...refs: string[]) => {
    run('add', '--all')
    run('commit', '--quiet', '--allow-empty', '--message', 'a change')
    run('push', '--quiet', remote, ...refs)
    return run('rev-parse', 'HEAD')
  }

  beforeAll(async () => {
    const { origin: own } = await socketClient(app)
    await app.admin.call(host.set, { body: { publicUrl: own, notice: '' } })
    await api('POST', 'user/repos', { name, private: true, default_branch: 'main' })
    run('init', '--quiet', '--initial-branch=main')
    change('README.md')
    push('main')
    appId = (await team.leader.call(groups.create, { params: { teamId: team.id }, body: { name: 'mono' } })).id
  })
  afterAll(async () => {
    await api('DELETE', `repos/${username}/${name}`)
    rmSync(folder, { recursive: true, force: true })
    await outbound.close()
  })

  let made = 0
  /** A pipeline whose webhook the setup button creates in Gitea. */
  async function withHook(paths: string[], events: ForgeEventKind[] = ['push'], forks = false) {
    const pipeline = await team.leader.call(definitions.create, {
      body: {
        appId,
        projectName: `p${++made}`,
        repository: { url, branch: 'main', username, password: token },
        definition: { stages: [{ name: 'all', steps: [{ type: 'script', name: 'run', run: 'true' }] }] },
      },
    })
    const params = { id: pipeline.id }
    const { id } = await team.leader.call(triggers.create, {
      params,
      body: { rule: { kind: 'webhook', events, paths, forks } },
    })
    const at = { params: { ...params, triggerId: id } }
    await team.leader.call(triggers.setHook, { ...at, body: { forge: 'gitea' } })
    return { pipeline, at }
  }
  const newest = (id: number) => team.leader.call(builds.current, { params: { id } })
  /** The outcomes of the deliveries to the trigger. */
  const outcomes = async (at: { params: { id: number; triggerId: number } }) =>
    (await team.leader.call(triggers.events, at)).items.map(({ outcome }) => outcome)

  test('a push, a tag and a pull request start builds of their commits; deleting the trigger deletes the webhook', async () => {
    const { pipeline, at } = await withHook([], ['push', 'tag', 'mergeRequest'])
    change('a.txt')
    const pushed = push('main')
    await eventually(
      async () => expect(await newest(pipeline.id)).toMatchObject({ branch: 'main', commit: pushed }),
      undefined,
      { ms: 30_000 },
    )

    run('tag', '-a', 'v1.0', '-m', 'a release')
    run('push', '--quiet', remote, 'v1.0')
    await eventually(
      async () => expect(await newest(pipeline.id)).toMatchObject({ tag: 'v1.0', commit: pushed }),
      undefined,
      { ms: 30_000 },
    )

    run('checkout', '--quiet', '-b', 'feature/greeting')
    change('b.txt')
    const proposed = push('feature/greeting')
    await eventually(
      async () => expect(await newest(pipeline.id)).toMatchObject({ branch: 'feature/greeting' }),
      undefined,
      { ms: 30_000 },
    )
    const { number } = (await newest(pipeline.id)) ?? { number: 0 }
    await api('POST', `repos/${username}/${name}/pulls`, {
      head: 'feature/greeting',
      base: 'main',
      title: 'A greeting',
    })
    await eventually(
      async () => expect(await newest(pipeline.id)).toMatchObject({ number: number + 1, commit: proposed }),
      undefined,
      { ms: 30_000 },
    )
    run('checkout', '--quiet', 'main')

    expect(await api('GET', `repos/${username}/${name}/hooks`)).toHaveLength(1)
    expect(await team.leader.call(triggers.remove, at)).toEqual({ hookRemoved: true })
    expect(await api('GET', `repos/${username}/${name}/hooks`)).toHaveLength(0)
  }, 120_000)

  test('only those of a monorepo’s twenty pipelines start whose files the push changed', async () => {
    const all: Awaited<ReturnType<typeof withHook>>[] = []
    for (let at = 0; at < 20; at++) all.push(await withHook([`services/s${at}/**`]))
    change('services/s3/main.ts')
    change('services/s17/deep/main.ts')
    const commit = push('main')
    await eventually(
      async () => {
        for (const { at } of all) expect((await outcomes(at)).length).toBeGreaterThan(0)
      },
      undefined,
      { ms: 60_000, everyMs: 250 },
    )
    const started = await Promise.all(all.map(async ({ pipeline }) => (await newest(pipeline.id))?.commit === commit))
    expect(started.flatMap((did, at) => (did ? [at] : []))).toEqual([3, 17])
  }, 180_000)

  test('a fork’s merge request starts what it changes, waits, and its commit is found in the repository', async () => {
    const shop = await withHook(['fork/shop/**'], ['mergeRequest'], true)
    const quay = await withHook(['fork/quay/**'], ['mergeRequest'], true)
    const organization = `fork-${process.pid}`
    await api('POST', 'orgs', { username: organization })
    try {
      await api('POST', `repos/${username}/${name}/forks`, { organization })
      const fork = `${origin}/${organization}/${name}.git`.replace('://', `://${username}:${token}@`)
      // its branch has the same name as the target
      run('checkout', '--quiet', '-b', 'of-the-fork')
      change('fork/shop/main.ts')
      run('add', '--all')
      run('commit', '--quiet', '--message', 'a change of the fork')
      run('push', '--quiet', fork, 'of-the-fork:main')
      const commit = run('rev-parse', 'HEAD')
      run('checkout', '--quiet', 'main')
      const request = { head: `${organization}:main`, base: 'main', title: 'From a fork' }
      await api('POST', `repos/${username}/${name}/pulls`, request)
      await eventually(
        async () => {
          expect(await outcomes(shop.at)).toEqual(['started'])
          expect(await outcomes(quay.at)).toEqual(['skipped'])
        },
        undefined,
        { ms: 30_000 },
      )
      const mergeRequest = { source: 'main', target: 'main', fork: true }
      expect(await newest(shop.pipeline.id)).toMatchObject({ state: 'waiting', commit, mergeRequest })
      run('fetch', '--quiet', '--no-tags', remote, commit)
    } finally {
      await api('DELETE', `repos/${organization}/${name}`).catch(() => undefined)
      await api('DELETE', `orgs/${organization}`)
    }
  }, 120_000)

  test('a token that may not administer the repository is refused, with what to do', async () => {
    const { pipeline, at } = await withHook([])
    const params = { appId, pipelineId: pipeline.id }
    const { seal } = await import('../../../kernel/secrets/secrets.ts')
    await app.db
      .updateTable('pipeline')
      .set({ repository_password: seal(app.ctx(), 'wrong') })
      .where('id', '=', params.pipelineId)
      .execute()
    await expect(team.leader.call(triggers.setHook, { ...at, body: { forge: 'gitea' } })).rejects.toMatchObject({
      status: 400,
      key: 'forge-denied',
    })
  })

  test('a commit shows that its build waits, and then how it ended', async () => {
    const { pipeline } = await withHook(['status/**'])
    const params = { appId, pipelineId: pipeline.id }
    const { revision: _, ...setting } = await team.leader.call(pipelines.setting, { params })
    await team.leader.call(pipelines.setSetting, { params, body: { ...setting, commitStatus: 'gitea' } })
    change('status/a.txt')
    const commit = push('main')
    const states = async () => {
      await app.drainJobs()
      const statuses = (await api('GET', `repos/${username}/${name}/commits/${commit}/statuses`)) as {
        status: string
        context: string
      }[]
      return statuses.filter(({ context }) => context.endsWith(pipeline.projectName)).map(({ status }) => status)
    }
    await eventually(async () => expect(await states()).toEqual(['pending']), undefined, { ms: 30_000 })
    const number = (await newest(pipeline.id))?.number ?? 0
    await team.leader.call(builds.stop, { params: { id: pipeline.id, number } })
    await eventually(async () => expect((await states()).toSorted()).toEqual(['error', 'pending']), undefined, {
      ms: 30_000,
    })
  })
})
