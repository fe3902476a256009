import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { samplePath } from '@gantry/contract/sample/repository'
import { tokens } from '@gantry/contract/tokens/tokens'
import { beforeAll, describe, expect, test } from 'vitest'
import { sampleApp } from '../../../test/sample-app.ts'
import { open } from '../../kernel/secrets/secrets.ts'

const run = promisify(execFile)

const { app, data, look, make, of, origin } = await sampleApp()
type Team = Awaited<ReturnType<typeof app.team>>

async function passwordOf(team: Team): Promise<string> {
  const row = await app.db
    .selectFrom('sample')
    .select('password')
    .where('team_id', '=', team.id)
    .executeTakeFirstOrThrow()
  return open(app.server, row.password)
}

const basic = (password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`sample:${password}`).toString('base64')}`,
})

describe("a sample's repository", () => {
  let team: Team
  let theirs: Team
  let password = ''
  beforeAll(async () => {
    team = await app.team()
    theirs = await app.team()
    await make(team)
    await make(theirs)
    password = await passwordOf(team)
  })
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${origin}${path}`, { headers, redirect: 'manual' })

  test('is cloned by git with its password, and contains the example', async () => {
    const target = join(data, 'clone')
    const url = new URL(samplePath(team.id), origin)
    url.username = 'anyone'
    url.password = password
    await run('git', ['-c', 'credential.helper=', 'clone', '--quiet', url.href, target], {
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
    })
    const { stdout } = await run('node', ['--test', '--test-reporter=tap'], { cwd: target })
    expect(stdout).toMatch(/# pass 5\n# fail 0/)
  })

  test('is refused to anybody else, whether it exists or not', async () => {
    const path = (id: number) => `/git/samples/${id}/hello.git/info/refs`
    const refused = [
      await get(path(team.id)),
      await get(path(team.id), basic('')),
      await get(path(team.id), basic('wrong')),
      await get(path(team.id), basic(await passwordOf(theirs))),
      await get(path(team.id), { authorization: `Bearer ${team.leader.token}` }),
      await get(path(team.id), { authorization: `Bearer ${app.admin.token}` }),
      await get(path(999_999), basic(password)),
    ]
    const answers = await Promise.all(
      refused.map(async (one) => [one.status, one.headers.get('www-authenticate'), await one.text()]),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toEqual([401, 'Basic realm="git"', expect.stringContaining('sample-repository-password')])
    expect((await get(path(team.id), basic(password))).status).toBe(200)
  })

  test("accepts an API token of its team that may see pipelines, until that is deleted, and no other team's", async () => {
    const tokenOf = (of: Team, alias: string, permissions: string[]) =>
      of.leader.call(tokens.create, { params: { teamId: of.id, alias }, body: { permissions } })
    const status = async (secret = '') => (await get(`/git/samples/${team.id}/hello.git/HEAD`, basic(secret))).status
    const own = await tokenOf(team, 'clone', ['pipeline_pipeline_view'])
    expect(await status(own.token)).toBe(200)
    expect(await status((await tokenOf(team, 'other', ['pipeline_build_view'])).token)).toBe(401)
    expect(await status((await tokenOf(theirs, 'clone', ['pipeline_pipeline_view'])).token)).toBe(401)
    expect(await status(team.leader.token)).toBe(401)
    await team.leader.call(tokens.remove, { params: { id: own.id } })
    expect(await status(own.token)).toBe(401)
  })

  test('serves only the files that git requests', async () => {
    const root = `/git/samples/${team.id}/hello.git`
    for (const file of ['HEAD', 'info/refs', 'info/refs?service=git-upload-pack', 'objects/info/packs'])
      expect((await get(`${root}/${file}`, basic(password))).status).toBe(200)
    for (const file of [
      'config',
      'packed-refs',
      'refs/heads/main',
      'hooks/post-update',
      'objects/pack/',
      'objects/pack/..',
      'objects/info/../../config',
      'objects/info/%2e%2e%2fconfig',
      'objects/..%2f..%2f..%2f..%2fsecret-key/x',
      'objects/%2e%2e/config',
      'objects/pack/%00',
      `objects/pack/..%2f..%2f..%2f..%2f${theirs.id}%2fhello.git%2fHEAD`,
      '../../../secret-key',
    ])
      expect([file, (await get(`${root}/${file}`, basic(password))).status]).toEqual([
        file,
        expect.toBeOneOf([400, 404]),
      ])
    const pushed = await fetch(`${origin}${root}/git-receive-pack`, { method: 'POST', headers: basic(password) })
    expect(pushed.status).toBe(404)
  })

  test("has settings that can be saved unchanged and checked, though users may not enter this machine's address", async () => {
    const { pipeline } = await look(team)
    const params = { appId: pipeline?.groupId ?? 0, pipelineId: pipeline?.id ?? 0 }
    const setting = await team.leader.call(pipelines.setting, { params })
    const saved = await team.leader.call(pipelines.setSetting, { params, body: { ...setting, description: 'mine' } })
    expect(saved).toEqual({ ...setting, description: 'mine', revision: setting.revision + 1 })
    const { repository } = setting
    if (!repository) throw new Error('the sample has no repository')
    const check = (url: string) =>
      team.leader.call(pipelines.checkRepository, {
        ...of(team),
        body: { repository: { ...repository, url }, pipelineId: params.pipelineId },
      })
    expect(await check(repository.url)).toMatchObject({ branches: ['main'], defaultBranch: 'main' })
    for (const url of [`${origin}/livez`, `${origin}/git/samples/../../livez`, `${origin}/git/samples@x/${team.id}`])
      await expect(check(url)).rejects.toMatchObject({ key: 'outbound-refused' })
  })
})
