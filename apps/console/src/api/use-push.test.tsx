import { QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { credentials } from '@gantry/contract/pipelines/credentials'
import { buildsTopic } from '@gantry/contract/pipelines/topics'
import { stacksTopic } from '@gantry/contract/stacks/topics'
import { teamTopic } from '@gantry/contract/teams/topics'
import { holdDraft } from './draft.ts'
import { useRead } from './hooks.ts'
import { queryClient } from './queries.ts'
import { closePush, usePush } from './use-push.ts'

const lost = vi.hoisted((): ((until?: number) => void)[] => [])
const hear = vi.hoisted(() => new Map<string, (message: object) => void>())
vi.mock('./push.ts', () => ({
  createPush: () => ({
    subscribe: (topic: string, onMessage: (message: object) => void, onLost: (until?: number) => void) => {
      lost.push(onLost)
      hear.set(topic, onMessage)
      return () => undefined
    },
    close: () => undefined,
  }),
}))

const received: unknown[] = []

function Subscriber() {
  usePush([stacksTopic, buildsTopic, teamTopic], { teamId: 1 }, (content) => received.push(content))
  return null
}

afterEach(() => {
  cleanup()
  received.length = 0
  lost.length = 0
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('after a break all reads are repeated once for all subscriptions, at a random time; and again after the next break', () => {
  vi.useFakeTimers()
  const readAgain = vi.spyOn(queryClient, 'invalidateQueries')
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0.5)
  render(<Subscriber />)
  expect(lost).toHaveLength(3)
  const breakAll = () => act(() => lost.forEach((lose) => lose()))
  breakAll()
  vi.advanceTimersByTime(1499)
  expect(readAgain).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(readAgain).toHaveBeenCalledTimes(1)
  chance.mockReturnValue(0)
  breakAll()
  vi.advanceTimersByTime(1000)
  expect(readAgain).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(10_000)
  expect(readAgain).toHaveBeenCalledTimes(2)
})

test('a first read after a break has missed nothing, and is not repeated', async () => {
  vi.useFakeTimers()
  const before = vi.fn(() => Promise.resolve('before'))
  const after = vi.fn(() => Promise.resolve('after'))
  const observe = (queryKey: string[], queryFn: () => Promise<string>) =>
    new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => undefined)
  render(<Subscriber />)
  const ends = [observe(['before'], before)]
  await vi.advanceTimersByTimeAsync(1)
  act(() => lost.forEach((lose) => lose()))
  ends.push(observe(['after'], after))
  await vi.advanceTimersByTimeAsync(2_000)
  expect([before.mock.calls.length, after.mock.calls.length]).toEqual([2, 1])
  ends.forEach((end) => end())
})

test('nothing is read once the session has ended', () => {
  vi.useFakeTimers()
  const readAgain = vi.spyOn(queryClient, 'invalidateQueries')
  render(<Subscriber />)
  act(() => lost.forEach((lose) => lose()))
  closePush()
  vi.advanceTimersByTime(10_000)
  expect(readAgain).not.toHaveBeenCalled()
})

test('parses a message; passes an unreadable one on as such, and reports it', () => {
  const reported = vi.fn<typeof reportError>()
  vi.stubGlobal('reportError', reported)
  render(<Subscriber />)
  const say = (topic: string, content: unknown) => act(() => hear.get(topic)?.({ topic, seq: '', content }))
  say('builds/1', { pipelineId: 7, number: 12, state: 'building', since: 'a newer server' })
  say('team/1', { changed: 'roles' })
  expect(reported).not.toHaveBeenCalled()
  say('builds/1', { pipelineId: 7, number: 12, state: 'paused' })
  expect(received).toEqual([{ pipelineId: 7, number: 12, state: 'building' }, { changed: 'roles' }, undefined])
  expect(String(reported.mock.calls[0]?.[0])).toContain('builds/1')
})

describe('a read', () => {
  const calls = vi.fn(() => Promise.resolve(Response.json({ status: 1, data: [], message: '' })))
  function Reader() {
    useRead(credentials.list, { params: { teamId: 1 } })
    return null
  }
  const follow = async () => {
    vi.useFakeTimers()
    vi.stubGlobal('fetch', calls)
    queryClient.clear()
    calls.mockClear()
    render(
      <QueryClientProvider client={queryClient}>
        <Reader />
        <Reader />
      </QueryClientProvider>,
    )
    await vi.advanceTimersByTimeAsync(500)
    expect(calls).toHaveBeenCalledTimes(1)
  }
  const hint = () => act(() => hear.get('pipelines/1')?.({ topic: 'pipelines/1', seq: '', content: {} }))

  test('is repeated within a second for events between its request and its subscription, and only for those', async () => {
    await follow()
    const requestedAt = performance.now() - 500
    act(() => lost.forEach((lose) => lose(requestedAt - 1)))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(calls).toHaveBeenCalledTimes(1)
    act(() => lost.forEach((lose) => lose(requestedAt + 1)))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(calls).toHaveBeenCalledTimes(2)
  })

  test('is repeated once for all its followers, and at most once a second', async () => {
    await follow()
    hint()
    hint()
    await vi.advanceTimersByTimeAsync(600)
    expect(calls).toHaveBeenCalledTimes(2)
    hint()
    await vi.advanceTimersByTimeAsync(800)
    expect(calls).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(calls).toHaveBeenCalledTimes(3)
  })

  test('waits for a form with unsaved input', async () => {
    await follow()
    const release = holdDraft()
    hint()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(calls).toHaveBeenCalledTimes(1)
    release()
    await vi.advanceTimersByTimeAsync(200)
    expect(calls).toHaveBeenCalledTimes(2)
  })
})
