import { batches } from '@gantry/contract/batch-edits/batches'
import type { ChangeInput } from '@gantry/contract/batch-edits/changes'
import { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testApp } from '../../../../test/test-app.ts'
import { changePipelines } from '../pipelines/changes.service.ts'
import { documentOf, unsealed } from '../pipelines/documents.ts'
import { findPipeline } from '../pipelines/pipelines.store.ts'

const app = await testApp()

const names = ['A', 'B', 'C']
const variable = fc.record({
  name: fc.constantFrom(...names),
  value: fc.string({ maxLength: 8 }),
  secret: fc.boolean(),
})
const parameter = fc.record({
  name: fc.constantFrom(...names),
  kind: fc.constantFrom('text' as const, 'secret' as const),
  defaultValue: fc.string({ maxLength: 8 }),
})
const step = fc.record({
  type: fc.constant('script' as const),
  name: fc.constantFrom('one', 'two', 'three'),
  run: fc.constantFrom('make', 'npm test', 'true'),
})
const unique = <T extends { name: string }>(one: fc.Arbitrary<T>, minLength = 0) =>
  fc.uniqueArray(one, { minLength, maxLength: 3, selector: ({ name }) => name })
const documents = fc.record({
  description: fc.constantFrom('', 'before'),
  timeoutMinutes: fc.nat(100),
  agentLabels: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
  variables: unique(variable),
  parameters: unique(parameter),
  definition: unique(step, 1).map((steps) => ({ stages: [{ name: 'all', steps }] })),
})
const changes: fc.Arbitrary<ChangeInput> = fc.oneof(
  fc.record({ type: fc.constant('set-variable' as const), variable, existing: fc.boolean() }),
  fc.record({ type: fc.constant('remove-variable' as const), name: fc.constantFrom(...names) }),
  fc.record({ type: fc.constant('set-parameter' as const), parameter, existing: fc.boolean() }),
  fc.record({ type: fc.constant('remove-parameter' as const), name: fc.constantFrom(...names) }),
  fc.constantFrom('', 'after').map((value) => ({ type: 'set' as const, field: 'description' as const, value })),
  fc.nat(100).map((value) => ({ type: 'set' as const, field: 'timeoutMinutes' as const, value })),
  fc.constantFrom('a', 'c').map((label) => ({ type: 'add-labels' as const, labels: [label] })),
  fc.record({ type: fc.constant('add-step' as const), at: fc.constantFrom('first' as const, 'last' as const), step }),
  fc.record({ type: fc.constant('remove-step' as const), where: fc.record({ step: fc.constantFrom('one', 't*') }) }),
  fc
    .constantFrom('make', 'npm')
    .map((find) => ({ type: 'replace-text' as const, in: 'scripts' as const, find, replacement: 'x' })),
)

test('a batch that is applied and then restored leaves every document as it was, including secrets', async () => {
  const team = await app.team()
  const group = { params: { teamId: team.id }, body: { name: 'all' } }
  const { id: appId } = await team.leader.call(groups.create, group)
  const params = { teamId: team.id }
  const stored = async (id: number) => {
    const found = await findPipeline(app.db, id)
    return found && unsealed(app.ctx(), documentOf(found))
  }
  let made = 0
  let changed = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(documents, { minLength: 1, maxLength: 3 }),
      fc.array(changes, { minLength: 1, maxLength: 5 }),
      async (given, edits) => {
        const created = await changePipelines(
          app.ctx(),
          given.map((one) => ({
            type: 'create',
            teamId: team.id,
            document: PipelineDocument.parse({ ...one, appId, projectName: `p${++made}`, repository: null }),
          })),
        )
        const ids = created.map(({ id }) => id)
        const before = await Promise.all(ids.map(stored))
        const pipelines = ids.map((id) => ({ id, revision: 1 }))
        const { id } = await team.leader.call(batches.apply, { params, body: { pipelines, changes: edits } })
        await app.reconcile()
        const { counts } = await team.leader.call(batches.get, { params: { id } })
        expect(counts.waiting).toBe(0)
        changed += counts.changed
        if (counts.changed === 0) return
        await team.leader.call(batches.restore, { params: { id } })
        await app.reconcile()
        const { state } = await team.leader.call(batches.get, { params: { id } })
        expect(state).toBe('RESTORE_SUCCESS')
        expect(await Promise.all(ids.map(stored))).toEqual(before)
      },
    ),
    { numRuns: 40 },
  )
  expect(changed).toBeGreaterThan(10)
})
