import { batches, batchesTopic } from '@gantry/contract/batch-edits/batches'
import type { ChangeInput } from '@gantry/contract/batch-edits/changes'
import { audit } from '@gantry/contract/audit/audit'
import { notifications } from '@gantry/contract/notifications/notifications'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { teams } from '@gantry/contract/teams/teams'
import { tokens } from '@gantry/contract/tokens/tokens'
import { mask } from '@gantry/contract/validators'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Git } from '../../../adapters/git/git.ts'
import { startServer } from '../../../../test/server-process.ts'
import { refusalOf, testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { documentOf, unsealed } from '../pipelines/documents.ts'
import { findPipeline, type StoredPipeline } from '../pipelines/pipelines.store.ts'
import { deleteOldBatches, retention } from './batches.store.ts'

/** A git host where every repository has the branches main and next, except those that are called gone. */
const git = {
  check: async ({ url }: { url: string }) => {
    await meanwhile()
    return {
      branches: (url.includes('gone') ? ['main'] : ['main', 'next']).map((name) => ({ name, commit: 'a'.repeat(40) })),
      tags: [],
      head: 'main',
    }
  },
} as Partial<Git> as Git
/** Runs while the host is being asked. */
let meanwhile: () => Promise<unknown> = async () => {}

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
const script = (name: string, run = 'true') => ({ type: 'script' as const, name, run })
const create = (more: object = {}) =>
  team.leader.call(definitions.create, {
    body: {
      appId,
      projectName: `pipeline ${++made}`,
      definition: { stages: [{ name: 'test', steps: [script('unit', 'npm test')] }] },
      ...more,
    },
  })
const several = async (count: number, more: object = {}) => {
  const all = []
  for (let at = 0; at < count; at++) all.push(await create(more))
  return all.map(({ id }) => id)
}
const of = (pipelineId: number) => ({ params: { appId, pipelineId } })
const setting = (id: number) => team.leader.call(pipelines.setting, of(id))
const definition = (id: number) => team.leader.call(definitions.get, of(id))
const describeAs = async (id: number, description: string, by = colleague) =>
  by.call(pipelines.setSetting, { ...of(id), body: { ...(await setting(id)), description } })

const set = (field: string, value: unknown) => ({ type: 'set', field, value }) as ChangeInput
const validate = (ids: number[], changes: ChangeInput[], query: object = {}, by = team.leader) =>
  by.call(batches.validate, { body: { teamId: team.id, selection: { ids }, changes }, query })
const apply = async (ids: number[], changes: ChangeInput[], by = team.leader) => {
  const { pipelines: seen } = await validate(ids, changes)
  return by.call(batches.apply, { params: { teamId: team.id }, body: { pipelines: seen, changes } })
}
const get = (id: number) => team.leader.call(batches.get, { params: { id } })
const items = async (id: number) =>
  (await team.leader.call(batches.items, { params: { id }, query: { pageSize: 1000 } })).items
const item = async (id: number, pipelineId: number) => (await items(id)).find((one) => one.pipelineId === pipelineId)
const done = async (id: number) => {
  await app.reconcile()
  return get(id)
}
const edited = async (ids: number[], changes: ChangeInput[]) => done((await apply(ids, changes)).id)
const restore = async (id: number) => {
  await team.leader.call(batches.restore, { params: { id } })
  return done(id)
}
const retry = async (id: number, by = team.leader) => {
  await by.call(batches.retry, { params: { id } })
  return done(id)
}

describe('validation', () => {
  test('says for each pipeline what would change, and changes nothing', async () => {
    const [plain = 0, same = 0, without = 0] = [
      ...(await several(1)),
      ...(await several(1, { definition: { stages: [{ name: 'test', steps: [script('unit', 'npm ci')] }] } })),
      ...(await several(1, { definition: { stages: [] } })),
    ]
    const changes: ChangeInput[] = [
      { type: 'replace-text', in: 'scripts', find: 'npm test', replacement: 'npm ci' },
      { type: 'set-step', step: 'script', field: 'timeoutMinutes', value: 7, where: { step: 'none*' } },
    ]
    const preview = await validate([plain, same, without], changes)
    expect(preview.counts).toEqual({ changed: 1, unchanged: 2, refused: 0 })
    expect(preview.matched).toEqual([1, 0])
    expect(preview.pipelines).toEqual([{ id: plain, revision: 1 }])
    const [first] = preview.items
    expect(first).toMatchObject({ pipelineId: plain, outcome: 'changed', groupName: 'shop' })
    expect(JSON.stringify(first?.before)).toContain('npm test')
    expect(JSON.stringify(first?.after)).toContain('npm ci')
    expect(Object.keys(first?.after ?? {})).toEqual(['definition'])
    expect(await definition(plain)).toMatchObject({ revision: 1, stages: [{ steps: [{ run: 'npm test' }] }] })
  })

  test('refuses one pipeline with the reason and the place, and reports on the others', async () => {
    const [first = 0, other = 0] = await several(2)
    const twice: ChangeInput[] = [{ type: 'add-step', step: script('unit') }]
    const preview = await validate([first, other], twice, { outcome: 'refused', pageSize: 1 })
    expect(preview).toMatchObject({ totalSize: 2, counts: { changed: 0, refused: 2 }, pipelines: [] })
    expect(preview.items).toEqual([expect.objectContaining({ outcome: 'refused', path: 'definition.stages' })])
    expect(preview.items[0]?.reason).not.toBe('')

    const renamed = await validate(
      [first, other],
      [{ type: 'replace-text', in: 'projectName', find: 'pipeline', replacement: 'job' }],
    )
    expect(renamed.counts).toMatchObject({ changed: 2 })
    const { projectName } = await setting(first)
    const clash = await validate(
      [first, other],
      [{ type: 'replace-text', in: 'projectName', find: (await setting(other)).projectName, replacement: projectName }],
    )
    expect(clash.counts).toEqual({ changed: 0, unchanged: 1, refused: 1 })
    expect(clash.items.find(({ outcome }) => outcome === 'refused')?.reason).toContain(projectName)
  })

  test.each<[string, object, string]>([
    ['an unknown field', set('colour', 'red'), 'changes.0.field'],
    ['a value of another type', set('timeoutMinutes', 'long'), 'changes.0.value'],
    ['a value out of its limits', set('timeoutMinutes', 10_081), 'changes.0.value'],
    [
      'a field that the step does not have',
      { type: 'set-step', step: 'checkout', field: 'run', value: 'x' },
      'changes.0.field',
    ],
    [
      'a value out of the limits of a step',
      { type: 'set-step', step: 'script', field: 'timeoutMinutes', value: 0 },
      'changes.0.value',
    ],
    [
      'a step without a name',
      { type: 'add-step', step: { type: 'script', name: '', run: 'x' } },
      'changes.0.step.name',
    ],
    ['an unknown change', { type: 'drop-tables' }, 'changes.0.type'],
  ])('refuses %s at its path, before reading any pipeline', async (_, change, path) => {
    const [id = 0] = await several(1)
    const refusal = await refusalOf(validate([id], [set('keepBuilds', 1), change as ChangeInput].toReversed()))
    expect(refusal).toMatchObject({ status: 400, problems: [expect.objectContaining({ path })] })
  })

  test('selects by the filters of the list: name, group, state, repository', async () => {
    const name = `harbour ${++made}`
    const { id } = await create({ projectName: name })
    const filtered = (filter: object) =>
      team.leader.call(batches.validate, {
        body: { teamId: team.id, selection: { filter }, changes: [set('keepBuilds', 3)] },
      })
    expect((await filtered({ projectName: name })).pipelines).toEqual([{ id, revision: 1 }])
    expect((await filtered({ projectName: name, groupId: appId, state: 'never' })).pipelines).toHaveLength(1)
    expect((await filtered({ projectName: name, state: 'success' })).pipelines).toEqual([])
    expect((await filtered({ projectName: name, repository: 'git.example' })).pipelines).toEqual([])
  })
})

describe('a selection with a pipeline of another team', () => {
  test('is refused as a whole with 404, like one with a pipeline that does not exist', async () => {
    const other = await app.team()
    const group = await other.leader.call(groups.create, { params: { teamId: other.id }, body: { name: 'theirs' } })
    const theirs = await other.leader.call(definitions.create, { body: { appId: group.id, projectName: 'theirs' } })
    const [own = 0] = await several(1)
    const changes = [set('keepBuilds', 9)]
    const put = (id: number) =>
      team.leader.call(batches.apply, {
        params: { teamId: team.id },
        body: {
          pipelines: [
            { id: own, revision: 1 },
            { id, revision: 1 },
          ],
          changes,
        },
      })
    const none = await refusalOf(put(2_000_000_000))
    expect(none).toMatchObject({ status: 404, key: 'resource-missing' })
    for (const id of [theirs.id]) {
      expect(await refusalOf(put(id))).toEqual(none)
      expect(await refusalOf(validate([own, id], changes))).toMatchObject({ status: 404 })
    }
    expect(await refusalOf(validate([own], [set('appId', group.id)]))).toMatchObject({ status: 404 })
    await app.reconcile()
    expect((await setting(own)).keepBuilds).toBe(0)

    const batch = await edited([own], changes)
    for (const call of [batches.restore, batches.retry, batches.get, batches.items])
      expect(await refusalOf(other.leader.call(call, { params: { id: batch.id } }))).toMatchObject({ status: 404 })
    expect(await refusalOf(other.leader.call(batches.restore, { params: { id: 2_000_000_000 } }))).toMatchObject({
      status: 404,
    })
  })

  test('is refused without the permission to edit, and changes to a review also need the permission to review', async () => {
    const viewer = await team.member(['pipeline_pipeline_view'])
    const [id = 0] = await several(1)
    await expect(validate([id], [set('keepBuilds', 1)], {}, viewer)).rejects.toMatchObject({ status: 403 })
    const put = {
      params: { teamId: team.id },
      body: { pipelines: [{ id, revision: 1 }], changes: [set('review', null)] },
    }
    await expect(viewer.call(batches.apply, put)).rejects.toMatchObject({ status: 403 })
    expect(await refusalOf(colleague.call(batches.apply, put))).toMatchObject({ status: 403 })
  })
})

describe('a batch', () => {
  test('changes settings, variables and steps of all its pipelines, each in one revision', async () => {
    const ids = await several(3)
    const batch = await edited(ids, [
      set('timeoutMinutes', 45),
      set('description', 'all alike'),
      { type: 'set-variable', variable: { name: 'REGION', value: 'eu' } },
      { type: 'set-variable', variable: { name: 'ABSENT', value: 'x' }, existing: true },
      { type: 'add-labels', labels: ['large'] },
      { type: 'set-step', step: 'script', field: 'shell', value: 'bash' },
      { type: 'set-step-variable', name: 'CI_MODE', value: 'batch' },
      { type: 'add-step', at: 'before', beside: 'unit', step: script('lint', 'npm run lint') },
    ])
    expect(batch).toMatchObject({ state: 'SUCCESS', by: team.leader.name, counts: { total: 3, changed: 3, failed: 0 } })
    expect(batch.endedAt).not.toBeNull()
    for (const id of ids) {
      expect(await setting(id)).toMatchObject({
        timeoutMinutes: 45,
        description: 'all alike',
        agentLabels: ['large'],
        variables: [{ name: 'REGION', value: 'eu', secret: false }],
        revision: 2,
      })
      expect((await definition(id)).stages[0]?.steps).toMatchObject([
        { name: 'lint' },
        { name: 'unit', shell: 'bash', environment: [{ name: 'CI_MODE', value: 'batch' }] },
      ])
    }
    const rows = await app.db
      .selectFrom('pipeline_revision')
      .select('by')
      .where('pipeline_id', 'in', ids)
      .where('revision', '=', 2)
      .execute()
    expect(rows.map(({ by }) => by)).toEqual([team.leader.name, team.leader.name, team.leader.name])
    const inbox = await team.leader.call(notifications.list, {})
    expect(inbox.items[0]).toMatchObject({ kind: 'pipeline-batch', tone: 'ok', target: { route: 'cd-batch-history' } })
  })

  test('does not change a pipeline that was edited since the validation and names the editor, and a retry changes its present revision', async () => {
    const [first = 0, second = 0] = await several(2)
    const changes = [set('description', 'batch')]
    const { pipelines: seen } = await validate([first, second], changes)
    await describeAs(second, 'theirs')
    const { id } = await team.leader.call(batches.apply, {
      params: { teamId: team.id },
      body: { pipelines: seen, changes },
    })
    expect(await done(id)).toMatchObject({ state: 'PARTIAL_SUCCESS', counts: { changed: 1, failed: 1 } })
    expect((await item(id, second))?.reason).toContain(colleague.name)
    expect((await setting(second)).description).toBe('theirs')

    expect(await retry(id)).toMatchObject({ state: 'SUCCESS', counts: { changed: 2, failed: 0 } })
    expect((await setting(second)).description).toBe('batch')
    expect((await setting(first)).revision).toBe(2)
    expect(await restore(id)).toMatchObject({ state: 'RESTORE_SUCCESS', counts: { restored: 2 } })
    expect((await setting(second)).description).toBe('theirs')
    expect((await setting(first)).description).toBe('')
  })

  test('keeps what others changed in other fields of a pipeline', async () => {
    const [id = 0] = await several(1)
    const changes = [set('timeoutMinutes', 30)]
    const { pipelines: seen } = await validate([id], changes)
    await describeAs(id, 'theirs')
    const batch = await team.leader.call(batches.apply, {
      params: { teamId: team.id },
      body: { pipelines: seen, changes },
    })
    expect(await done(batch.id)).toMatchObject({ state: 'SUCCESS' })
    expect(await setting(id)).toMatchObject({ timeoutMinutes: 30, description: 'theirs' })
  })

  test('is restored except for pipelines that were changed since, which it names', async () => {
    const [first = 0, second = 0, gone = 0] = await several(3)
    const { id } = await edited([first, second, gone], [set('description', 'batch')])
    await describeAs(second, 'theirs')
    await team.leader.call(pipelines.remove, { ...of(gone), query: { confirm: (await setting(gone)).projectName } })

    const restored = await restore(id)
    expect(restored).toMatchObject({ state: 'RESTORE_FAILURE', restoredBy: team.leader.name })
    expect(restored.counts).toMatchObject({ restored: 1, left: 2 })
    expect((await setting(first)).description).toBe('')
    expect((await setting(second)).description).toBe('theirs')
    expect(await item(id, second)).toMatchObject({ outcome: 'left', exists: true })
    expect((await item(id, second))?.reason).toContain(colleague.name)
    expect(await item(id, gone)).toMatchObject({ outcome: 'left', exists: false })

    // now it is as the batch had left it, so restoring it would overwrite no change of others
    await describeAs(second, 'batch')
    expect(await retry(id)).toMatchObject({ state: 'RESTORE_FAILURE', counts: { left: 2 } })
    await expect(retry(id, colleague)).resolves.toMatchObject({ restoredBy: colleague.name })
  })

  test('cannot be restored or retried while at work, and neither restored again nor retried without failures', async () => {
    const [id = 0] = await several(1)
    const batch = await apply([id], [set('description', 'x')])
    for (const call of [batches.restore, batches.retry])
      expect(await refusalOf(team.leader.call(call, { params: { id: batch.id } }))).toMatchObject({
        status: 409,
        key: 'batch-edits-working',
      })
    await done(batch.id)
    expect(await refusalOf(team.leader.call(batches.retry, { params: { id: batch.id } }))).toMatchObject({
      key: 'batch-edits-nothing-to-retry',
    })
    await restore(batch.id)
    expect(await refusalOf(team.leader.call(batches.restore, { params: { id: batch.id } }))).toMatchObject({
      key: 'batch-edits-nothing-to-restore',
    })
  })

  test('reaches the host of a repository that it changes, and only the one without the branch fails', async () => {
    const repository = (name: string) => ({
      repository: {
        url: `https://git.example.test/${name}.git`,
        branch: 'main',
        username: 'bot',
        password: 'canary-pw',
      },
    })
    const [fine = 0, without = 0, bare = 0] = [
      ...(await several(1, repository('fine'))),
      ...(await several(1, repository('gone'))),
      ...(await several(1)),
    ]
    const preview = await validate([fine, without, bare], [set('repository.branch', 'next')])
    expect(preview.counts).toEqual({ changed: 2, unchanged: 1, refused: 0 })
    const batch = await edited([fine, without], [set('repository.branch', 'next')])
    expect(batch).toMatchObject({ state: 'PARTIAL_SUCCESS' })
    expect((await item(batch.id, without))?.reason).toContain('main')
    expect((await setting(fine)).repository).toMatchObject({ branch: 'next', password: mask })
    expect((await setting(without)).repository).toMatchObject({ branch: 'main' })
  })

  test('fails if the user who started it may no longer edit, and another user can retry it', async () => {
    const leaver = await team.member(['pipeline_pipeline_view', 'pipeline_pipeline_edit'])
    const ids = await several(2)
    const batch = await apply(ids, [set('description', 'x')], leaver)
    await team.leader.call(teams.removeMember, { params: { id: team.id, userId: leaver.id } })
    expect(await done(batch.id)).toMatchObject({ state: 'FAILURE', counts: { failed: 2 } })
    expect((await items(batch.id))[0]?.reason).toContain(leaver.name)
    expect(await retry(batch.id)).toMatchObject({ state: 'SUCCESS', by: leaver.name, counts: { changed: 2 } })
  })

  test('fails at once if the account of the user who started it is disabled', async () => {
    const admin = await app.user({ admin: true })
    const repository = { url: 'https://git.example.test/shop.git', branch: 'main' }
    const ids = await several(2, { repository })
    const batch = await apply(ids, [set('repository.branch', 'next')], admin)
    // once, and every item waits for it
    const disabled = Promise.withResolvers<void>()
    meanwhile = async () => {
      meanwhile = () => disabled.promise
      await app.db.updateTable('account').set({ status: 'disabled' }).where('id', '=', admin.id).execute()
      disabled.resolve()
    }
    onTestFinished(() => void (meanwhile = async () => {}))
    expect(await done(batch.id)).toMatchObject({ state: 'FAILURE', counts: { failed: 2 } })
    expect((await items(batch.id))[0]?.reason).toContain(admin.name)
    expect(await retry(batch.id)).toMatchObject({ state: 'SUCCESS', counts: { changed: 2 } })
  })

  test('cannot be restored by a token without the permission to review if it changed a review', async () => {
    const ids = await several(1)
    const batch = await edited(ids, [set('review', { count: 1, users: [], roles: [] })])
    const permissions = ['pipeline_pipeline_view', 'pipeline_pipeline_edit']
    const params = { teamId: team.id, alias: 'restorer' }
    const { token } = await team.leader.call(tokens.create, { params, body: { permissions } })
    const by = { authorization: `Bearer ${token}` }
    const restoring = app.anonymous.call(batches.restore, { params: { id: batch.id } }, by)
    await expect(restoring).rejects.toMatchObject({ status: 403 })
    await done(batch.id)
    expect((await setting(ids[0] ?? 0)).review).toMatchObject({ count: 1 })
    expect(await restore(batch.id)).toMatchObject({ state: 'RESTORE_SUCCESS' })
  })
})

describe('secrets', () => {
  test('can be set and restored by a batch, and appear neither in the diff nor in the history or the audit log', async () => {
    const repository = {
      url: 'https://git.example.test/safe.git',
      branch: 'main',
      username: 'bot',
      password: 'canary-old',
    }
    const [id = 0] = await several(1, {
      repository,
      variables: [{ name: 'TOKEN', value: 'canary-before', secret: true }],
    })
    const changes: ChangeInput[] = [
      { type: 'set-variable', variable: { name: 'TOKEN', value: 'canary-after', secret: true } },
      { type: 'set', field: 'repository.password', value: 'canary-new', secret: true },
    ]
    const preview = await validate([id], changes)
    expect(preview.items[0]).toMatchObject({ outcome: 'changed', secrets: ['password', 'TOKEN'] })
    const batch = await edited([id], changes)
    const rows = await app.db.selectFrom('pipeline').select('variables').where('id', '=', id).execute()
    const output = JSON.stringify([
      preview,
      batch,
      await items(batch.id),
      await app.db.selectFrom('pipeline_batch').selectAll().execute(),
      await app.db.selectFrom('pipeline_batch_item').selectAll().execute(),
      await app.admin.call(audit.search, { query: { pageSize: 1000 } }),
      rows,
    ])
    expect(output).not.toContain('canary')
    expect(await item(batch.id, id)).toMatchObject({
      secrets: ['password', 'TOKEN'],
      before: { variables: [{ value: mask }] },
    })
    expect(await valuesOf(id)).toEqual(['canary-after', 'canary-new'])
    await restore(batch.id)
    expect(await valuesOf(id)).toEqual(['canary-before', 'canary-old'])
  })

  test('of a service that a step creates are refused before anything is stored', async () => {
    const [id = 0] = await several(1)
    const stackUuid = '11111111-1111-4111-8111-111111111111'
    const environment = [{ name: 'KEY', value: 'canary-step', secret: true }]
    const creates = [
      { environment },
      { containers: [{ name: 'beside', role: 'side', image: 'busybox', environment }] },
      { files: [{ path: '/etc/key', content: 'canary-step', secret: true }] },
    ]
    for (const create of creates) {
      const step = { type: 'deploy' as const, name: 'ship', stackUuid, service: 'shop', create }
      const given: ChangeInput[] = [
        { type: 'add-step', step } as ChangeInput,
        { type: 'set-step', step: 'deploy', field: 'create', value: create } as ChangeInput,
      ]
      for (const one of given) {
        const body = { pipelines: [{ id, revision: 1 }], changes: [one] }
        const refused = { status: 400, key: 'pipelines-definition-secret' }
        await expect(team.leader.call(batches.apply, { params: { teamId: team.id }, body })).rejects.toMatchObject(
          refused,
        )
        await expect(validate([id], [one])).rejects.toMatchObject(refused)
      }
    }
    expect(JSON.stringify(await app.db.selectFrom('pipeline_batch').selectAll().execute())).not.toContain('canary-step')
  })

  const valuesOf = async (id: number) => {
    const found = await findPipeline(app.db, id)
    const { variables, repository } = unsealed(app.ctx(), documentOf(found as StoredPipeline))
    return [variables[0]?.value, repository?.password]
  }
})

describe('two replicas', () => {
  test('working on the same batches change each pipeline once', async () => {
    const ids = await several(12)
    const started = await Promise.all([
      apply(ids.slice(0, 6), [{ type: 'replace-text', in: 'scripts', find: 'npm', replacement: 'npm npm' }]),
      apply(ids.slice(6), [{ type: 'replace-text', in: 'scripts', find: 'npm', replacement: 'npm npm' }]),
    ])
    await Promise.all([app.reconcile(), beside.reconcile(), app.reconcile(), beside.reconcile()])
    for (const { id } of started) expect(await done(id)).toMatchObject({ state: 'SUCCESS', counts: { changed: 6 } })
    for (const id of ids)
      expect(await definition(id)).toMatchObject({ revision: 2, stages: [{ steps: [{ run: 'npm npm test' }] }] })
  })

  test('if one server is killed with -9 midway, each pipeline is whole or untouched, and another server continues', async () => {
    const ids = await several(6)
    const changes: ChangeInput[] = [{ type: 'replace-text', in: 'scripts', find: 'npm', replacement: 'npm npm' }]
    const { pipelines: seen } = await validate(ids, changes)
    const server = await startServer(app.database.url, { GANTRY_DATA: testFolder('killed'), GANTRY_SANDBOX: 'off' })
    onTestFinished(() => server.end('SIGKILL'))
    const batch = await app.db.transaction().execute(async (tx) => {
      await tx
        .selectFrom('pipeline')
        .select('id')
        .where('id', '=', ids[3] ?? 0)
        .forUpdate()
        .execute()
      const begun = await team.leader.call(batches.apply, {
        params: { teamId: team.id },
        body: { pipelines: seen, changes },
      })
      // it waits for the fourth pipeline's lock, in an open transaction
      await expect
        .poll(async () => (await get(begun.id)).counts, { timeout: 30_000 })
        .toMatchObject({ changed: 3, waiting: 3 })
      server.end('SIGKILL')
      expect(await server.ended).toBe('SIGKILL')
      return begun
    })
    expect(await get(batch.id)).toMatchObject({ state: 'EDITING' })
    // expire its lease
    await app.db.updateTable('pipeline_batch').set({ settle_until: null }).where('id', '=', batch.id).execute()
    expect(await done(batch.id)).toMatchObject({ state: 'SUCCESS', counts: { changed: 6, waiting: 0 } })
    for (const id of ids)
      expect(await definition(id)).toMatchObject({ revision: 2, stages: [{ steps: [{ run: 'npm npm test' }] }] })
  })
})

describe('the history', () => {
  test('is paged, newest first, and can be searched by user, pipeline and state', async () => {
    const other = await app.team()
    const group = await other.leader.call(groups.create, { params: { teamId: other.id }, body: { name: 'g' } })
    const { id } = await other.leader.call(definitions.create, { body: { appId: group.id, projectName: 'lighthouse' } })
    const teamId = other.id
    for (const keepBuilds of [1, 2, 3]) {
      const changes = [set('keepBuilds', keepBuilds)]
      await other.leader.call(batches.apply, {
        params: { teamId },
        body: { pipelines: [{ id, revision: keepBuilds }], changes },
      })
      await app.reconcile()
    }
    const list = (query: object) => other.leader.call(batches.history, { params: { teamId }, query })
    const all = await list({ pageSize: 2 })
    expect(all).toMatchObject({ totalSize: 3, items: [{ changes: [{ value: 3 }] }, { changes: [{ value: 2 }] }] })
    expect((await list({ pageSize: 2, requestPage: 2 })).items).toHaveLength(1)
    expect((await list({ keyword: 'LIGHTHOUSE' })).totalSize).toBe(3)
    expect((await list({ keyword: other.leader.name })).totalSize).toBe(3)
    expect((await list({ keyword: 'nothing' })).totalSize).toBe(0)
    expect((await list({ state: 'SUCCESS' })).totalSize).toBe(3)
    expect((await list({ state: 'FAILURE' })).totalSize).toBe(0)
  })

  test('keeps a team’s newest batches for some time, and always those at work', async () => {
    const other = await app.team()
    const row = { team_id: other.id, changes: '[]', created_by: 'x', actor_name: 'x', as_admin: false } as never
    const insert = (state: string, days: number) =>
      app.db
        .insertInto('pipeline_batch')
        .values({
          ...(row as object),
          state,
          ended_at: new Date(Date.now() - days * 86_400_000).toISOString(),
        } as never)
        .returning('id')
        .executeTakeFirstOrThrow()
    const working = await insert('EDITING', 0)
    const old = await insert('SUCCESS', retention.days + 1)
    const beyond = await insert('SUCCESS', 1)
    for (let at = 0; at < retention.batches; at++) await insert('SUCCESS', 1)
    await deleteOldBatches(app.db)
    const left = await app.db.selectFrom('pipeline_batch').select('id').where('team_id', '=', other.id).execute()
    const ids = left.map(({ id }) => id)
    expect(ids).toHaveLength(retention.batches + 1)
    expect(ids).toContain(working.id)
    expect(ids).not.toContain(old.id)
    expect(ids).not.toContain(beyond.id)
    await app.db.deleteFrom('pipeline_batch').where('team_id', '=', other.id).execute()
  })

  test('pages are notified when a batch begins and ends', async () => {
    const topics: string[] = []
    const stop = app.server.events.subscribe(({ topic }) => topics.push(topic))
    const [id = 0] = await several(1)
    await edited([id], [set('description', 'heard')])
    // an open transaction anywhere in the database server delays events
    await expect
      .poll(() => topics.filter((topic) => topic === batchesTopic.name({ teamId: team.id })).length, {
        timeout: 30_000,
      })
      .toBeGreaterThanOrEqual(2)
    stop()
  })
})
