import { audit } from '@gantry/contract/audit/audit'
import { builds } from '@gantry/contract/pipelines/builds'
import { queue } from '@gantry/contract/pipelines/queue'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()
const set = (keptPlaces: number) => app.admin.call(queue.set, { body: { keptPlaces } })
beforeEach(() => set(1))

type Agent = Awaited<ReturnType<typeof testAgent>>

/** Teams named by letters, each with one pipeline, whose builds only agents of this test take. */
async function teams(...letters: string[]) {
  const label = `queue-${Math.random()}`
  const pipelines = new Map<string, { id: number; call: (typeof app.admin)['call'] }>()
  for (const letter of letters) {
    const team = await app.team()
    const { id } = await testPipeline(app, team)
    await app.db
      .updateTable('pipeline')
      .set({ agent_labels: [label] })
      .where('id', '=', id)
      .execute()
    pipelines.set(letter, { id, call: team.leader.call })
  }
  const of = (letter: string) => {
    const found = pipelines.get(letter)
    if (!found) throw new Error(`no team ${letter}`)
    return found
  }
  const known = new Set<number>()
  return {
    /** Triggers builds in the order of the letters: `AAB`. */
    trigger: async (text: string) => {
      for (const letter of text) await of(letter).call(builds.trigger, { params: { id: of(letter).id }, body: {} })
    },
    agent: (capacity: number) => testAgent(app, { labels: [label], capacity }),
    /** The letters of the builds that an agent claimed, sorted, because the builds of one claim have no order. */
    take: async (agent: Agent, free: number): Promise<string> => {
      const { work } = await agent.claim(free)
      const fresh = work.filter(({ jobId }) => !known.has(jobId))
      for (const { jobId } of fresh) known.add(jobId)
      return fresh
        .map(({ pipelineId }) => [...pipelines].find(([, { id }]) => id === pipelineId)?.[0])
        .toSorted()
        .join('')
    },
    end: async (agent: Agent) => {
      for (const { jobId, attempt } of (await agent.claim(100)).work)
        await agent.events({ jobId, attempt }, 1, [{ type: 'end', state: 'success', logs: [] }])
    },
    /** Why the agent does not take this team's builds. */
    reasons: async (letter: string, agent: Agent) => {
      const entries = await of(letter).call(builds.queue, { params: { id: of(letter).id } })
      return entries.map((entry) => entry.agents.find(({ name }) => name === agent.caller.name)?.reason)
    },
    /** The builds that the agent runs, as a waiting build of this team shows them. */
    doing: async (letter: string, agent: Agent) => {
      const [entry] = await of(letter).call(builds.queue, { params: { id: of(letter).id } })
      return entry?.agents.find(({ name }) => name === agent.caller.name)
    },
    id: (letter: string) => of(letter).id,
  }
}

describe('the slots of an agent', () => {
  test.each([
    // queued, capacity, kept; claimed
    ['AAA', 2, 1, 'AA', 'a team alone takes all'],
    ['AAB', 2, 1, 'AB', 'of two each gets one'],
    ['AABB', 3, 1, 'AAB', 'three places for two'],
    ['AAAAB', 4, 1, 'AAAB', 'one place is the other’s, and it takes no more'],
    ['AAAAB', 4, 2, 'AAB', 'two places are kept, and the second stays free'],
    ['AAAAB', 4, 0, 'AAAB', 'none is kept: by turns'],
    ['AAABC', 4, 1, 'AABC', 'three teams'],
    ['AB', 1, 1, 'A', 'a single place is nobody’s to keep'],
    ['AB', 1, 100, 'A', 'a single place, whatever is kept'],
    ['AABB', 2, 100, 'AB', 'more kept than there are: one each'],
  ])('%s queued, %i slots, %i kept: %s run (%s)', async (queued, capacity, kept, taken) => {
    await set(kept)
    const { trigger, agent, take } = await teams(...new Set(queued))
    await trigger(queued)
    expect(await take(await agent(capacity), capacity)).toBe(taken)
  })

  test('claiming one by one, the agent keeps its last slot free too while other teams build', async () => {
    const { trigger, agent, take, end, reasons, id } = await teams('A', 'B')
    const two = await agent(2)
    await trigger('B')
    expect(await take(two, 2)).toBe('B')
    await end(two)
    await trigger('AAA')
    expect(await take(two, 2)).toBe('A')
    expect(await take(two, 2)).toBe('')
    const kept =
      'free, but reserved for other teams: your team uses 1 of 2 slots. An administrator sets how many are reserved.'
    expect(await reasons('A', two)).toEqual([kept, kept])
    // a team that comes later finds it free
    await trigger('B')
    expect(await take(two, 2)).toBe('B')
    await end(two)
    // an hour after the last build of other teams, the team gets all slots of the agent
    await app.db
      .updateTable('build_job')
      .set({ ended_at: sql`now() - interval '2 hours'` })
      .where('pipeline_id', '=', id('B'))
      .execute()
    expect(await take(two, 2)).toBe('AA')
  })

  test('no running build is ended, and a team’s share is counted for each agent separately', async () => {
    const { trigger, agent, take, reasons } = await teams('A', 'B')
    const [one, other] = [await agent(2), await agent(2)]
    await trigger('AA')
    expect(await take(one, 2)).toBe('AA')
    await trigger('AAB')
    const { cancel, drop } = await one.claim(0)
    expect([cancel, drop]).toEqual([[], []])
    expect(await reasons('B', one)).toEqual(['busy: 2 of 2 slots in use'])
    expect(await take(other, 2)).toBe('AB')
    await trigger('B')
    expect(await take(await agent(2), 2)).toBe('AB')
  })

  test('a waiting build lists its own team’s builds that hold the slots, and counts the others', async () => {
    const { trigger, agent, take, doing, id } = await teams('A', 'B')
    const two = await agent(2)
    await trigger('AB')
    expect(await take(two, 2)).toBe('AB')
    await trigger('AB')
    expect(await doing('A', two)).toMatchObject({ builds: [{ pipelineId: id('A'), number: 1 }], others: 1 })
    expect(await doing('B', two)).toMatchObject({ builds: [{ pipelineId: id('B'), number: 1 }], others: 1 })
  })

  test('concurrent claims of one agent take no more than sequential ones', async () => {
    const { trigger, agent, take } = await teams('A', 'B')
    const three = await agent(3)
    await trigger('B')
    expect(await take(three, 1)).toBe('B')
    await trigger('AAAAAA')
    const claimed = await Promise.all([1, 2, 3, 4, 5].map(() => three.claim(3)))
    const taken = new Set(claimed.flatMap(({ work }) => work.map(({ jobId }) => jobId)))
    expect(taken.size).toBe(3)
  })
})

test('the number of kept slots is shown with the settings, set by administrators and audited', async () => {
  expect(await app.admin.call(queue.get, {})).toEqual({ keptPlaces: 1 })
  await set(3)
  expect(await app.admin.call(queue.get, {})).toEqual({ keptPlaces: 3 })
  for (const keptPlaces of [-1, 1.5, 101]) await expect(set(keptPlaces)).rejects.toMatchObject({ status: 400 })
  const { items } = await app.admin.call(audit.search, { query: { apiValue: 'queue.update' } })
  const row = await app.admin.call(audit.get, { params: { id: items.find(({ result }) => result === 1)?.id ?? 0 } })
  expect(row).toMatchObject({ before: { keptPlaces: 1 }, after: { keptPlaces: 3 } })
})
