import { pushPath } from '@gantry/contract/push/path'
import { eventually } from '@gantry/waiting/eventually'
import { expect, test } from 'vitest'
import { testPipeline } from '../../../../test/build-agent.ts'
import { socketClient } from '../../../../test/socket-client.ts'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()
const client = await socketClient(app)

test.for(['build/abc/1', 'build/99999999999/1'])(
  '%s is no topic, and subscribing to it does not affect other subscriptions',
  async (none) => {
    const team = await app.team()
    const { id } = await testPipeline(app, team)
    const socket = await client.as(team.leader, pushPath)
    socket.send({ op: 'subscribe', topic: none })
    socket.send({ op: 'subscribe', topic: `build/${id}/1` })
    socket.send({ op: 'subscribe', topic: `build/${id}/1` })
    // the refusal of the second subscription shows that the first was handled
    await eventually(() => expect(socket.frames.filter(({ op }) => op === 'error')).toHaveLength(2))
    const messages = new Map(socket.frames.map(({ topic, message }) => [topic, message]))
    expect(messages.get(none)).toContain('does not exist')
    expect(messages.get(`build/${id}/1`)).toContain('already')
    socket.ws.close()
  },
)
