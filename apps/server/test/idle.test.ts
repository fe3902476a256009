import pino from 'pino'
import { expect, test } from 'vitest'
import { housekeeping } from '../src/kernel/jobs/housekeeping.ts'
import { openSlots } from '../src/kernel/jobs/slots.ts'
import { findModules } from '../src/module.ts'
import { statementsOf } from './statements.ts'
import { testApp } from './test-app.ts'

const app = await testApp()

/** Number of statements of some work that has nothing to do. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  await work()
  return (await statementsOf(app, work)).statements.length
}

/** As often as each job, check and poll runs in a minute, added up without waiting for the clock. */
test('an idle minute of a server takes few statements', async () => {
  const modules = await findModules()
  const jobs = [housekeeping, ...modules.flatMap(({ jobs = [] }) => jobs)]
  const slots = openSlots(app.db, pino({ level: 'silent' }), jobs, async () => undefined)
  const costs: [name: string, statements: number, aMinute: number][] = []
  for (const job of jobs)
    if (typeof job.every === 'number')
      costs.push([job.name, await costOf(() => job.run(app.ctx(), {})), 60 / job.every])
  for (const { name, begin, lookMs } of modules.flatMap(({ reconcilers = [] }) => reconcilers))
    costs.push([name, await costOf(() => begin(app.ctx())), 60_000 / lookMs])
  costs.push(['the look for slots', await costOf(slots.look), 12])
  costs.push(['the poll for events', await costOf(app.server.events.settle), 12])
  const total = costs.reduce((sum, [, statements, times]) => sum + statements * times, 0)
  const dearest = costs
    .map(([name, statements, times]) => ({ name, statements, aMinute: Math.round(statements * times * 10) / 10 }))
    .toSorted((a, b) => b.aMinute - a.aMinute)
  expect({ isFew: total < 160, dearest: dearest.slice(0, 12) }).toMatchObject({ isFew: true })
  expect(await costOf(slots.look)).toBe(1)
  await slots.stop(0)
})
