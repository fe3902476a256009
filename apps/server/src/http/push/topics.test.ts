import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pushPath } from '@gantry/contract/push/path'
import { session } from '@gantry/contract/auth/session'
import { catalogTags } from '@gantry/contract/catalog/catalogs'
import { callOf, endpoint, type Endpoint, isWrite } from '@gantry/contract/endpoint'
import { groups } from '@gantry/contract/pipelines/groups'
import { buildsTopic } from '@gantry/contract/pipelines/topics'
import { isHint, topic, type Topic } from '@gantry/contract/topic'
import { nameFor } from '@gantry/contract/topic-names'
import { eventually } from '@gantry/waiting/eventually'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { findEndpoints, findTopics } from '../../kernel/find.ts'
import { publish } from '../../kernel/events/events.ts'
import { findModules } from '../../module.ts'
import { socketClient } from '../../../test/socket-client.ts'
import { testApp } from '../../../test/test-app.ts'
import { testFolder } from '../../../test/test-folder.ts'
import { placeholders } from '../validate-endpoints.ts'
import { topicFault, validateTopics } from './validate-topics.ts'

const found = (await findTopics()).map(({ value }) => value)
const modules = await findModules()
const owners = new Set(modules.flatMap(({ owners = [] }) => owners.map(({ kind }) => kind)))
const faults = (topics: readonly Topic[]) => topics.map((one) => topicFault(one, owners)).filter(Boolean)

test('every topic of the contract has a schema and a checkable access, and one room serves it unless it is a hint', () => {
  expect(faults(found)).toEqual([])
  const served = modules.flatMap(({ topics = [] }) => topics.map(({ topic }) => topic.path))
  expect(served.toSorted()).toEqual(found.flatMap((one) => (isHint(one) ? [] : [one.path])).toSorted())
  expect(new Set(served).size).toBe(served.length)
})

const endpoints = (await findEndpoints()).map(({ value }) => value)
const writes = endpoints.filter(isWrite)
const ofOneTeam = new Set(
  modules.flatMap(({ owners = [] }) => owners.flatMap((owner) => ('teamOf' in owner ? [owner.kind] : []))),
)

/** Whether a call to this endpoint names the object that a topic is about. */
function says(endpoint: Endpoint, topic: Topic): boolean {
  const { access, path } = endpoint
  const isOfTeam =
    typeof access === 'object' && ('team' in access || ('owner' in access && ofOneTeam.has(access.owner)))
  const named = Object.fromEntries(placeholders(path).map((name) => [name, '1']))
  return nameFor(topic, endpoint, { named, userId: 1, ...(isOfTeam && { teamId: 1 }) }) !== undefined
}

test('every topic that a write names is named by a read too', () => {
  const read = new Set(endpoints.flatMap((one) => (isWrite(one) ? [] : one.topics)))
  expect(writes.flatMap((one) => one.topics.flatMap((topic) => (read.has(topic) ? [] : topic.path)))).toEqual([])
})

test('a write names the object of each of its hints, except where its handler publishes', () => {
  const unsaid = writes.flatMap((one) =>
    one.topics.flatMap((topic) => (isHint(topic) && !says(one, topic) ? [`${callOf(one)}: ${topic.path}`] : [])),
  )
  expect(unsaid).toEqual(['PUT /catalog/api/blueprint/translate: blueprints/:teamId'])
})

test('a write without topics is a type error', () => {
  const write = {
    method: 'POST',
    path: '/api/x',
    access: 'user',
    audit: 'x.make',
    summary: 'X',
    data: z.null(),
  } as const
  // @ts-expect-error topics are missing
  expect(endpoint(write).topics).toEqual([])
  expect(endpoint({ ...write, topics: [] }).topics).toEqual([])
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
  // @ts-expect-error no build has such a state
  const wrong = publish(app.ctx(), buildsTopic, { teamId: 1 }, content)
  await expect(wrong).rejects.toThrow('state')
  // @ts-expect-error the team is missing
  void (() => publish(app.ctx(), buildsTopic, {}, { ...content, state: 'failed' }))
  // @ts-expect-error a topic without a schema of its content
  void (() => topic({ path: 'x', access: 'user' }))
  expect(await app.db.selectFrom('outbox').select('seq').where('topic', 'like', 'builds/%').execute()).toEqual([])
})

test('a write publishes to the hints that it names, for the team, the object, the caller and the installation', async () => {
  const team = await app.team()
  const { id } = await team.leader.call(groups.create, { params: { teamId: team.id }, body: { name: 'shop' } })
  const socket = await client.as(team.leader, pushPath)
  const admins = await client.as(app.admin, pushPath)
  const messages = ({ frames }: typeof socket) => frames.map(({ topic, content }) => [topic, content])
  await socket.subscribe(`pipelines/${team.id}`)
  await socket.subscribe(`account/${team.leader.id}`)
  await admins.subscribe('catalogs')
  await team.leader.call(groups.remove, { params: { id } })
  await eventually(() => expect(messages(socket)).toContainEqual([`pipelines/${team.id}`, {}]))
  await team.leader.call(session.endOtherSessions)
  await eventually(() => expect(messages(socket)).toContainEqual([`account/${team.leader.id}`, {}]))
  await app.admin.call(catalogTags.create, { body: { name: 'told' } })
  await eventually(() => expect(messages(admins)).toEqual([['catalogs', {}]]))
  socket.ws.close()
  admins.ws.close()
})

test('nobody may subscribe to a topic of objects that they may not view', async () => {
  const team = await app.team()
  const stranger = await app.user()
  const socket = await client.as(stranger, pushPath)
  const closed = found.filter(({ access }) => access !== 'user')
  const params = { env: crypto.randomUUID(), scope: team.id, teamId: team.id, userId: team.leader.id }
  const names = closed.map(({ path }) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) =>
      String(Object.entries(params).find(([key]) => key === name)?.[1] ?? 1),
    ),
  )
  for (const name of names) socket.send({ op: 'subscribe', topic: name })
  await eventually(() => expect(socket.frames).toHaveLength(names.length))
  expect(socket.frames.map(({ key, topic }) => [key, topic]).toSorted()).toEqual(
    names.map((name) => ['push-topic-unknown', name]).toSorted(),
  )
  socket.ws.close()
})
