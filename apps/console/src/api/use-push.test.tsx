import { QueryObserver } from '@tanstack/react-query'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { buildsTopic } from '@gantry/contract/pipelines/topics'
import { stacksTopic } from '@gantry/contract/stacks/topics'
import { teamTopic } from '@gantry/contract/teams/topics'
import { queryClient } from './hooks.ts'
import { closePush, usePush } from './use-push.ts'

const lost = vi.hoisted((): (() => void)[] => [])
const hear = vi.hoisted(() => new Map<string, (message: object) => void>())
vi.mock('./push.ts', () => ({
  createPush: () => ({
    subscribe: (topic: string, onMessage: (message: object) => void, onLost: () => void) => {
      lost.push(onLost)
      hear.set(topic, onMessage)
      return () => undefined
    },
    close: () => undefined,
  }),
}))

const heard: unknown[] = []

function Subscriber() {
  usePush([stacksTopic, buildsTopic, teamTopic], { teamId: 1 }, (content) => heard.push(content))
  return null
}

afterEach(() => {
  cleanup()
  heard.length = 0
  lost.length = 0
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('after a break everything is read again once for all subscriptions, at a random moment; and again after the next break', () => {
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

test('what is first read after a break has missed nothing, and is not read again', async () => {
  vi.useFakeTimers()
  const before = vi.fn(() => Promise.resolve('before'))
  const after = vi.fn(() => Promise.resolve('after'))
  const observe = (queryKey: string[], queryFn: () => Promise<string>) =>
    new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => undefined)
  render(<Subscriber />)
  const ends = [observe(['before'], before)]
  await vi.advanceTimersByTimeAsync(0)
  act(() => lost.forEach((lose) => lose()))
  ends.push(observe(['after'], after))
  await vi.advanceTimersByTimeAsync(2_000)
  expect([before.mock.calls.length, after.mock.calls.length]).toEqual([2, 1])
  ends.forEach((end) => end())
})

test('nothing is read again once the session ends', () => {
  vi.useFakeTimers()
  const readAgain = vi.spyOn(queryClient, 'invalidateQueries')
  render(<Subscriber />)
  act(() => lost.forEach((lose) => lose()))
  closePush()
  vi.advanceTimersByTime(10_000)
  expect(readAgain).not.toHaveBeenCalled()
})

test('a message is parsed; an unreadable one is passed on as such, and reported', () => {
  const reported = vi.fn<typeof reportError>()
  vi.stubGlobal('reportError', reported)
  render(<Subscriber />)
  const say = (topic: string, content: unknown) => act(() => hear.get(topic)?.({ topic, seq: '', content }))
  say('builds/1', { pipelineId: 7, number: 12, state: 'building', since: 'a newer server' })
  say('team/1', { changed: 'roles' })
  expect(reported).not.toHaveBeenCalled()
  say('builds/1', { pipelineId: 7, number: 12, state: 'paused' })
  expect(heard).toEqual([{ pipelineId: 7, number: 12, state: 'building' }, { changed: 'roles' }, undefined])
  expect(String(reported.mock.calls[0]?.[0])).toContain('builds/1')
})
