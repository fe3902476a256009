import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { useConsole } from '../../test/app.tsx'
import { LoadingOverlay } from '../shell/shell.tsx'
import { Toasts } from '../ui/feedback/toasts.tsx'
import { startLoading, stopLoading } from './loading.ts'
import { notices, notify, toast } from './notices.ts'
import { local } from './storage.ts'

useConsole()
beforeEach(() => void vi.useFakeTimers())

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

describe('the loading overlay', () => {
  const overlay = () => screen.queryByRole('alert')
  beforeEach(() => void render(<LoadingOverlay />))

  test('hides after 500 ms', () => {
    act(startLoading)
    expect(overlay()).not.toBeNull()
    act(stopLoading)
    pass(499)
    expect(overlay()).not.toBeNull()
    pass(1)
    expect(overlay()).toBeNull()
  })

  test('hides by itself after 20 s', () => {
    act(startLoading)
    pass(19_999)
    expect(overlay()).not.toBeNull()
    pass(1)
    expect(overlay()).toBeNull()
  })

  test('hides when the error flag appears in local storage, checked once a second', () => {
    act(startLoading)
    local.set('error', true)
    pass(999)
    expect(overlay()).not.toBeNull()
    pass(1)
    expect(overlay()).toBeNull()
    expect(local.get('error')).toBeUndefined()
  })

  test('is not hidden by an old flag', () => {
    local.set('error', true)
    act(startLoading)
    pass(3000)
    expect(overlay()).not.toBeNull()
  })
})

describe('toasts and notifications', () => {
  beforeEach(() => void render(<Toasts />))

  test('a toast stays 3 s', () => {
    act(() => toast.ok('Saved'))
    pass(2999)
    expect(screen.queryByText('Saved')).not.toBeNull()
    pass(1)
    expect(screen.queryByText('Saved')).toBeNull()
  })

  test('a notification stays 4 s', () => {
    act(() => notify('warn', 'web is degraded'))
    pass(3999)
    expect(screen.queryByText('web is degraded')).not.toBeNull()
    pass(1)
    expect(screen.queryByText('web is degraded')).toBeNull()
  })

  test('the pointer holds it; it leaves 3 s after the pointer', () => {
    act(() => toast.error('A plain string error'))
    fireEvent.pointerEnter(screen.getByRole('alert'))
    pass(60_000)
    expect(screen.queryByText('A plain string error')).not.toBeNull()
    fireEvent.pointerLeave(screen.getByRole('alert'))
    pass(3000)
    expect(screen.queryByText('A plain string error')).toBeNull()
  })

  test('past messages stay in the list behind the bell', () => {
    act(() => toast.error(new Error('The registry refused the tag')))
    pass(3000)
    expect(notices.get().map((notice) => notice.text)).toEqual(['The registry refused the tag'])
  })

  test('the same text is shown once', () => {
    act(() => {
      toast.error('offline')
      toast.error('offline')
    })
    expect(screen.getAllByText('offline')).toHaveLength(1)
  })
})
