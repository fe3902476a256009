import { expect, test } from 'vitest'
import { isFull } from '../../../test/full.ts'
import { testApp, type TestApp } from '../../../test/test-app.ts'
import { inTx } from '../../kernel/context.ts'
import type { Fault } from '../../kernel/fault.ts'
import { putQuota } from './quotas.store.ts'
import { mustFit } from './quotas.service.ts'

/** Two replicas: each with its own connections, sharing only the database. */
const app = await testApp({ onlyDomains: ['clusters', 'quotas', 'stacks', 'push'] })
const replica = await testApp({ onlyDomains: ['clusters', 'quotas', 'stacks', 'push'], beside: app })
const { uuid: environment } = await app.db
  .insertInto('environment')
  .values({ name: 'cluster', server: '', address: '' })
  .returning('uuid')
  .executeTakeFirstOrThrow()

async function teamWith(cpu: number): Promise<number> {
  const { id } = await app.team()
  await app.db.insertInto('environment_team').values({ environment, team_id: id }).execute()
  await putQuota(app.db, id, environment, { cpu, memory: null })
  return id
}

/** Uses a quota like the creation of a stack: checks it, and inserts the stack. */
const take = (
  { ctx }: Pick<TestApp, 'ctx'>,
  teamId: number,
  name: string,
  cpu: number,
  between?: () => Promise<void>,
) =>
  inTx(ctx(), async (ctx) => {
    await mustFit(ctx, { teamId, environment, wanted: { cpu, memory: null } })
    await between?.()
    const stack = { team_id: teamId, environment, name, namespace: `${teamId}-${name}`, actor: 'x', cpu }
    await ctx.db.insertInto('stack').values(stack).execute()
  })

test(
  'of two concurrent stacks on two replicas that need the rest of a quota exactly one gets it',
  { timeout: 120_000 },
  async () => {
    // a thousand times in the full suite
    const [abreast, rounds] = [5, isFull ? 200 : 20]
    const outcomes = await Promise.all(
      Array.from({ length: abreast }, async () => {
        const team = await teamWith(3)
        const won: string[] = []
        for (let round = 0; round < rounds; round++) {
          const both = await Promise.allSettled([take(app, team, 'a', 2), take(replica, team, 'b', 1.5)])
          const refusals = both.flatMap((one) => (one.status === 'rejected' ? [one.reason as Fault] : []))
          expect(refusals.map(({ kind, key }) => [kind, key])).toEqual([['conflict', 'quotas-exceeded-cpu']])
          const gone = await app.db.deleteFrom('stack').where('team_id', '=', team).returning('name').execute()
          won.push(...gone.map(({ name }) => name))
        }
        return won
      }),
    )
    const won = outcomes.flat()
    expect(won).toHaveLength(abreast * rounds)
    // if the same replica always won, there would be no race
    expect(new Set(won)).toEqual(new Set(['a', 'b']))
  },
)

test('the second waits for the first and sees its share, and another team does not wait', async () => {
  const [one, other] = [await teamWith(3), await teamWith(3)]
  const order: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: inside, resolve: entered } = Promise.withResolvers<void>()
  const first = take(app, one, 'a', 2, async () => {
    entered()
    await released
    order.push('first')
  })
  await inside
  const second = take(replica, one, 'b', 1.5).catch((error: Fault) => {
    order.push('second')
    return error.key
  })
  await take(replica, other, 'c', 3)
  order.push('other')
  release()
  await first
  expect(await second).toBe('quotas-exceeded-cpu')
  expect(order).toEqual(['other', 'first', 'second'])
})
