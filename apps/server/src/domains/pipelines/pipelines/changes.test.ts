import { audit } from '@gantry/contract/audit/audit'
import type { Step } from '@gantry/contract/pipelines/definition'
import { PipelineDocument, definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { Parameter } from '@gantry/contract/pipelines/parameters'
import { pipelines, type Setting } from '@gantry/contract/pipelines/pipelines'
import { mask } from '@gantry/contract/validators'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Git } from '../../../adapters/git/git.ts'
import { Refused, refusalOf, testApp } from '../../../../test/test-app.ts'
import { changePipelines } from './changes.service.ts'

/** A git host where every repository has the branch main. */
const git = {
  check: async () => ({ branches: [{ name: 'main', commit: 'a'.repeat(40) }], tags: [], head: 'main' }),
} as Partial<Git> as Git

const app = await testApp({ ports: { git } })
const beside = await testApp({ ports: { git }, beside: app })

let team: Awaited<ReturnType<typeof app.team>>
let colleague: typeof team.leader
let appId = 0

beforeAll(async () => {
  team = await app.team()
  colleague = await team.member(['pipeline_pipeline_view', 'pipeline_pipeline_edit'])
  appId = (await team.leader.call(groups.create, { params: { teamId: team.id }, body: { name: 'shop' } })).id
})

let made = 0
const create = (more: object = {}) =>
  team.leader.call(definitions.create, { body: { appId, projectName: `pipeline ${++made}`, ...more } })
const of = (pipelineId: number) => ({ params: { appId, pipelineId } })
const setting = (id: number, by = team.leader) => by.call(pipelines.setting, of(id))
const definition = (id: number, by = team.leader) => by.call(definitions.get, of(id))
const save = (id: number, body: Setting & { revision?: number }, by = team.leader) =>
  by.call(pipelines.setSetting, { ...of(id), body })
const define = (id: number, body: { stages: object[]; revision?: number; text?: string }, by = team.leader) =>
  by.call(definitions.set, { ...of(id), body: body as never })

const script = (name: string, run = 'true'): Step => ({ type: 'script', name, run, shell: 'sh', environment: [] })
const stage = (name: string, ...steps: Step[]) => ({
  name,
  mode: 'auto' as const,
  steps,
  jobs: [],
  handsOn: [],
})
const secret = (name: string, value: string) => ({ name, value, secret: true })
const parameter = (given: z.input<typeof Parameter>) => Parameter.parse(given)

const revisions = (id: number) =>
  app.db
    .selectFrom('pipeline_revision')
    .select(['revision', 'document', 'fields', 'action', 'by'])
    .where('pipeline_id', '=', id)
    .orderBy('revision')
    .execute()

describe('a change that is based on an earlier revision', () => {
  test('is refused if it would overwrite a colleague’s change, and names the colleague and the fields', async () => {
    const { id, projectName } = await create()
    const opened = await setting(id)
    await save(id, { ...opened, description: 'theirs', keepBuilds: 5 }, colleague)
    await define(id, { stages: [stage('a', script('one'))] })

    const refusal = await refusalOf(save(id, { ...opened, description: 'mine' }))
    expect(refusal).toMatchObject({ status: 409, key: 'pipelines-changed-since' })
    for (const word of [projectName, 'revision 3', 'based on revision 1', colleague.name, 'description, keepBuilds'])
      expect(refusal.message).toContain(word)
    // authors of other changes are not named
    expect(refusal.message).not.toContain(`${team.leader.name} `)
    expect(await setting(id)).toMatchObject({ description: 'theirs', keepBuilds: 5, revision: 3 })
  })

  test('is accepted and keeps the changes of others if they changed other fields', async () => {
    const { id } = await create()
    const opened = await setting(id)
    const stages = [stage('a', script('one'))]
    expect((await define(id, { stages, revision: opened.revision }, colleague)).revision).toBe(2)
    expect((await save(id, { ...opened, description: 'mine' })).revision).toBe(3)
    expect(await definition(id)).toEqual({ stages, revision: 3, text: '' })
  })

  test('is accepted if both changes are the same', async () => {
    const { id } = await create()
    const opened = await setting(id)
    await save(id, { ...opened, description: 'both' }, colleague)
    expect(await save(id, { ...opened, description: 'both' })).toMatchObject({ description: 'both', revision: 2 })
    expect(await revisions(id)).toHaveLength(2)
  })

  test('is refused if it would replace a newer secret, though both masks look the same', async () => {
    const { id } = await create({ variables: [secret('TOKEN', 'the first')] })
    const opened = await setting(id)
    await save(id, { ...opened, variables: [secret('TOKEN', 'theirs')] }, colleague)
    expect((await setting(id)).variables).toEqual(opened.variables)
    await expect(save(id, { ...opened, variables: [secret('TOKEN', 'mine')] })).rejects.toMatchObject({
      status: 409,
      key: 'pipelines-changed-since',
    })
    // a mask is no change of the secret
    await save(id, { ...opened, description: 'mine' })
  })

  test('applies to the present revision if it names none', async () => {
    const { id } = await create()
    const { revision: _, ...opened } = await setting(id)
    await save(id, { ...opened, description: 'theirs' }, colleague)
    expect(await save(id, { ...opened, description: 'mine' })).toMatchObject({ description: 'mine', revision: 3 })
  })

  test('is refused if the changes since are unknown, because the previous release stored no revisions', async () => {
    const { id } = await create()
    const opened = await definition(id)
    await sql`update pipeline set definition_revision = definition_revision + 1 where id = ${id}`.execute(app.db)
    const refusal = await refusalOf(define(id, { ...opened, stages: [stage('a', script('one'))] }))
    expect(refusal).toMatchObject({ status: 409, key: 'pipelines-changed-since' })
    expect(refusal.message).toContain('? has changed ?')
    const { revision } = await definition(id)
    expect(revision).toBe(2)
    expect((await define(id, { stages: [stage('a', script('one'))], revision })).revision).toBe(3)
  })

  test('is refused if its revision does not exist yet', async () => {
    const { id } = await create()
    await expect(define(id, { stages: [stage('a', script('one'))], revision: 7 })).rejects.toMatchObject({
      key: 'pipelines-changed-since',
    })
  })
})

const privateKey = '-----BEGIN OPENSSH PRIVATE KEY-----\ncanary-key\n-----END OPENSSH PRIVATE KEY-----'

test('every field of a pipeline is stored, and every revision has all fields but no secret', async () => {
  const changed: Required<Setting> = {
    projectName: `pipeline ${++made}`,
    description: 'what it is for',
    repository: {
      url: 'https://git.example.test/shop.git',
      branch: 'main',
      username: 'bot',
      password: 'canary-password',
      privateKey,
      knownHosts: 'git.example.test ssh-ed25519 AAAA',
      credentialId: null,
    },
    timeoutMinutes: 30,
    keepBuilds: 7,
    concurrent: false,
    concurrency: { scope: 'name', name: 'quay', newestOnly: true },
    retention: { days: 90, logDays: 30, artifactDays: 7 },
    commitStatus: 'gitea',
    agentLabels: ['linux'],
    review: { count: 2, users: [], roles: [] },
    definitionFile: { path: 'ci/web.yml', branch: 'main' },
    variables: [secret('TOKEN', 'canary-variable'), { name: 'MODE', value: 'fast', secret: false }],
    parameters: [
      parameter({ name: 'WHERE', description: 'to', defaultValue: 'here' }),
      parameter({ name: 'CODE', kind: 'secret', defaultValue: 'canary-parameter' }),
    ],
  }
  const masked = {
    ...changed,
    repository: changed.repository && { ...changed.repository, password: mask, privateKey: mask },
    variables: [secret('TOKEN', mask), changed.variables[1]],
    parameters: [changed.parameters[0], { ...changed.parameters[1], defaultValue: mask }],
  }
  const { id } = await create()
  const before = await setting(id)
  const unchanged = Object.entries(before).filter(
    ([field, value]) => JSON.stringify(value) === JSON.stringify(changed[field as keyof Setting]),
  )
  expect(unchanged).toEqual([])
  await save(id, { ...changed, revision: before.revision })
  expect(await setting(id)).toEqual({ ...masked, revision: 2 })
  // without a definition file, its stages can be edited here
  await save(id, { ...(await setting(id)), definitionFile: null })
  const stages = [stage('a', script('one'))]
  const text = '# why\nstages: []\n'
  await define(id, { stages, text })
  expect(await definition(id)).toMatchObject({ stages, text })

  const [first, second, , fourth] = await revisions(id)
  expect(first).toMatchObject({ revision: 1, action: 'create', by: team.leader.name })
  const { revision: _, ...asCreated } = before
  expect(PipelineDocument.parse(first?.document)).toEqual({
    ...asCreated,
    appId,
    definition: { stages: [] },
    definitionText: '',
  })
  expect(second).toMatchObject({ revision: 2, action: 'change' })
  expect(second?.fields.toSorted()).toEqual(Object.keys(changed).toSorted())
  expect(second?.document).toEqual({ ...masked, appId, definition: { stages: [] }, definitionText: '' })
  expect(fourth).toMatchObject({ revision: 4, fields: expect.arrayContaining(['definition', 'definitionText']) })
  expect(fourth?.document).toEqual({
    ...masked,
    definitionFile: null,
    appId,
    definition: { stages },
    definitionText: text,
  })
  const { rows } = await sql`select * from pipeline_revision where pipeline_id = ${id}`.execute(app.db)
  expect(JSON.stringify(rows)).not.toMatch(/canary|sealed1/)
})

test('a save without a change creates no revision', async () => {
  const { id } = await create({ variables: [secret('TOKEN', 'kept')] })
  expect(await save(id, await setting(id))).toMatchObject({ revision: 1 })
  expect(await define(id, await definition(id))).toMatchObject({ revision: 1 })
  expect(await revisions(id)).toHaveLength(1)
})

test('the audit log has the fields that differ, before and after', async () => {
  const { id } = await create()
  await save(id, { ...(await setting(id)), keepBuilds: 3 })
  const { items } = await app.admin.call(audit.search, { query: { apiValue: 'pipeline.set-setting', pageSize: 1 } })
  const row = await app.admin.call(audit.get, { params: { id: items[0]?.id ?? 0 } })
  expect(row).toMatchObject({ object: `pipeline ${made}`, before: { keepBuilds: 0 }, after: { keepBuilds: 3 } })
  expect(row.after).toEqual({ keepBuilds: 3 })
})

describe('changes of several pipelines', () => {
  const describedAs = (id: number, description: string) => ({ type: 'set', id, fields: { description } }) as const

  test('are applied all or none', async () => {
    const [a, b] = [await create(), await create()]
    const fields = { projectName: a.projectName }
    await expect(
      changePipelines(app.ctx(team.leader), [describedAs(a.id, 'changed'), { type: 'set', id: b.id, fields }]),
    ).rejects.toMatchObject({ key: 'pipelines-name-taken' })
    expect(await setting(a.id)).toMatchObject({ description: '', revision: 1 })
    expect(await revisions(a.id)).toHaveLength(1)
    await changePipelines(app.ctx(team.leader), [describedAs(b.id, 'b'), describedAs(a.id, 'a')])
    expect([await setting(a.id), await setting(b.id)]).toMatchObject([
      { description: 'a', revision: 2 },
      { description: 'b', revision: 2 },
    ])
  })

  test('wait for each other in any order of pipelines, and none is lost', async () => {
    const [a, b] = [await create(), await create()]
    const rounds = Array.from({ length: 40 }, (_, n) => n)
    await Promise.all(
      rounds.map((n) => {
        const ids = n % 2 === 0 ? [a.id, b.id] : [b.id, a.id]
        const by = n % 4 < 2 ? app : beside
        return changePipelines(
          by.ctx(team.leader),
          ids.map((id) => describedAs(id, `change ${n}`)),
        )
      }),
    )
    for (const { id } of [a, b]) expect(await setting(id)).toMatchObject({ revision: 41 })
    const [last, other] = [await setting(a.id), await setting(b.id)]
    expect(last.description).toBe(other.description)
  })
})

test('each of a hundred concurrent changes of one pipeline from two servers is refused or persists', async () => {
  const { id } = await create({ definition: { stages: [stage('all', script('first'))] } })
  const lead = [team.leader, beside.caller(team.leader, team.leader.token)] as const
  const accepted = { variables: 0, definition: 0, description: 0 }
  const isRefused = (error: unknown) => {
    if (error instanceof Refused && error.status === 409) return false
    throw error
  }
  /** Retries on alternating servers until no concurrent change comes first. */
  const insist = async (n: number, change: (by: typeof team.leader) => Promise<unknown>) => {
    while (!(await change(lead[n % 2] ?? team.leader).then(() => true, isRefused)));
  }
  const addVariable = (n: number) =>
    insist(n, async (by) => {
      const now = await setting(id, by)
      await save(id, { ...now, variables: [...now.variables, secret(`N${n}`, `of ${n}`)] }, by)
      accepted.variables += 1
    })
  const addStep = (n: number) =>
    insist(n, async (by) => {
      const { stages, revision } = await definition(id, by)
      const steps = [...(stages[0]?.steps ?? []), script(`step ${n}`)]
      await define(id, { stages: [stage('all', ...steps)], revision }, by)
      accepted.definition += 1
    })
  const describe = (n: number) =>
    insist(n, async (by) => {
      await save(id, { ...(await setting(id, by)), description: `change ${n}` }, by)
      accepted.description += 1
    })
  const each = async (count: number, work: (n: number) => Promise<void>) => {
    for (let n = 0; n < count; n++) await work(n)
  }
  await Promise.all([
    each(20, addVariable),
    each(20, (n) => addVariable(n + 20)),
    each(25, addStep),
    each(35, describe),
  ])

  const all = await revisions(id)
  expect(all.map(({ revision }) => revision)).toEqual(all.map((_, at) => at + 1))
  const counted = Map.groupBy(all.slice(1), ({ fields }) => fields.join())
  expect(Object.fromEntries(Array.from(counted, ([fields, list]) => [fields, list.length]))).toEqual(accepted)
  const names = (await setting(id)).variables.map(({ name }) => name)
  expect(names.toSorted()).toEqual(Array.from({ length: 40 }, (_, n) => `N${n}`).toSorted())
  const steps = (await definition(id)).stages.flatMap((one) => one.steps.map(({ name }) => name))
  expect(steps).toEqual(['first', ...Array.from({ length: 25 }, (_, n) => `step ${n}`)])
})
