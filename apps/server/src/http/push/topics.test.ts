import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pushPath } from '@gantry/contract/push/frames'
import { buildsTopic } from '@gantry/contract/pipelines/topics'
import { topic, type Topic } from '@gantry/contract/topic'
import { eventually } from '@gantry/waiting/eventually'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { findTopics } from '../../kernel/find.ts'
import { publish } from '../../kernel/events/events.ts'
import { findModules } from '../../module.ts'
import { socketClient } from '../../../test/socket-client.ts'
import { testApp } from '../../../test/test-app.ts'
import { testFolder } from '../../../test/test-folder.ts'
import { topicFault, validateTopics } from './validate-topics.ts'

const found = (await findTopics()).map(({ value }) => value)
const modules = await findModules()
const owners = new Set(modules.flatMap(({ owners = [] }) => owners.map(({ kind }) => kind)))
const faults = (topics: readonly Topic[]) => topics.map((one) => topicFault(one, owners)).filter(Boolean)

test('every topic of the contract is typed, has a checkable access, and is served by one room', () => {
  expect(faults(found)).toEqual([])
  const served = modules.flatMap(({ topics = [] }) => topics.map(({ topic }) => topic.path))
  expect(served.toSorted()).toEqual(found.map(({ path }) => path).toSorted())
  expect(new Set(served).size).toBe(served.length)
})

test('a planted topic without a schema of its content is found by its folder and refused', async () => {
  const folder = testFolder('topics')
  const planted = `export const planted = { path: 'planted/:id', access: 'user', name: () => '', content: undefined }`
  await writeFile(join(folder, 'planted.ts'), planted)
  expect(faults((await findTopics(folder)).map(({ value }) => value))).toEqual(['lacks the shape of its content'])
})

test.for([
  ['any content', topic({ path: 'x', access: 'user', content: z.unknown() }), 'lacks the shape of its content'],
  ['no rule', topic({ path: 'x', access: [], content: z.string() }), 'lacks access'],
  [
    'a rule about no part of its name',
    topic({ path: 'x/:id', access: { team: 'teamId' }, content: z.string() }),
    'asks for access by teamId, which its path does not have',
  ],
  [
    'an owner that no room declares',
    topic({ path: 'x/:id', access: { owner: 'nothing', by: 'id' }, content: z.string() }),
    'asks for access by the owner of a nothing, for which no room declares the owner',
  ],
  [
    'a scope that its name does not have',
    topic({ path: 'x/:id', access: { scope: 'scope', all: 'admin', team: [{ team: 'id' }] }, content: z.string() }),
    'asks for access by scope, which its path does not have',
  ],
] as const)('a topic with %s stops the start', ([_what, wrong, why]) => {
  expect(() => validateTopics([{ topic: wrong }], owners)).toThrow(why)
})

test('two topics that match the same name stop the start', () => {
  const one = topic({ path: 'x/:id', access: 'user', content: z.string() })
  const other = topic({ path: 'x/:name', access: 'user', content: z.string() })
  expect(() => validateTopics([{ topic: one }, { topic: other }], owners)).toThrow('is served twice')
})

const app = await testApp()
const client = await socketClient(app)

test('content that does not fit its topic is a type error, and is not published', async () => {
  const content = { pipelineId: 7, number: 12, state: 'paused' } as const
  // @ts-expect-error a build has no such state
  const wrong = publish(app.ctx(), buildsTopic, { teamId: 1 }, content)
  await expect(wrong).rejects.toThrow('state')
  // @ts-expect-error the team is not named
  void (() => publish(app.ctx(), buildsTopic, {}, { ...content, state: 'failed' }))
  // @ts-expect-error a topic without the shape of its content
  void (() => topic({ path: 'x', access: 'user' }))
  expect(await app.db.selectFrom('outbox').select('seq').where('topic', 'like', 'builds/%').execute()).toEqual([])
})

test('nobody may subscribe to a topic of objects that they may not view', async () => {
  const team = await app.team()
  const stranger = await app.user()
  const heard = await client.as(stranger, pushPath)
  const closed = found.filter(({ access }) => access !== 'user')
  const params = { env: crypto.randomUUID(), scope: team.id, teamId: team.id, userId: team.leader.id }
  const names = closed.map(({ path }) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) =>
      String(Object.entries(params).find(([key]) => key === name)?.[1] ?? 1),
    ),
  )
  for (const name of names) heard.send({ op: 'subscribe', topic: name })
  await eventually(() => expect(heard.frames).toHaveLength(names.length))
  expect(heard.frames.map(({ key, topic }) => [key, topic]).toSorted()).toEqual(
    names.map((name) => ['push-topic-unknown', name]).toSorted(),
  )
  heard.ws.close()
})
