import { act, cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { queryClient } from './hooks.ts'
import { usePush } from './use-push.ts'

const lost = vi.hoisted((): (() => void)[] => [])
vi.mock('./push.ts', () => ({
  createPush: () => ({
    subscribe: (_topic: string, _hear: unknown, onLost: () => void) => {
      lost.push(onLost)
      return () => undefined
    },
  }),
}))

function Follower({ topic }: { topic: string }) {
  usePush(topic, () => undefined)
  return null
}

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('everything is read again once for all that follow, at another moment in each console; and again after the next break', () => {
  vi.useFakeTimers()
  const readAgain = vi.spyOn(queryClient, 'invalidateQueries')
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0.5)
  render(['stacks/1', 'builds/1', 'team/1'].map((topic) => <Follower key={topic} topic={topic} />))
  expect(lost).toHaveLength(3)
  const breakAll = () => act(() => lost.forEach((tell) => tell()))
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
