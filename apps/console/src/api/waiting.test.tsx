import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { useConsole } from '../../test/app.tsx'
import { LoadingOverlay } from '../shell/shell.tsx'
import { Toasts } from '../ui/feedback/toasts.tsx'
import { startLoading, stopLoading } from './loading.ts'
import { CallError } from './failure.ts'
import { keepErrors, notify, toast } from './notices.ts'
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

  test('the pointer holds it; it disappears 3 s after the pointer leaves', () => {
    act(() => toast.error('A plain string error'))
    fireEvent.pointerEnter(screen.getByText('A plain string error'))
    pass(60_000)
    expect(screen.queryByText('A plain string error')).not.toBeNull()
    fireEvent.pointerLeave(screen.getByText('A plain string error'))
    pass(3000)
    expect(screen.queryByText('A plain string error')).toBeNull()
  })

  test('refusals of the server are kept for the bell; messages of the console are not', () => {
    const kept: string[] = []
    const stop = keepErrors((text) => kept.push(text))
    act(() => {
      toast.ok('Saved')
      toast.error('The picture is too large')
      toast.error(new CallError(0, '', 'Network error'))
      toast.error(new CallError(401, 'login-again', 'Please log in again'))
      toast.error(new CallError(409, 'name-taken', 'The name web is already taken'))
    })
    stop()
    act(() => toast.error(new CallError(409, 'name-taken', 'The name api is already taken')))
    expect(kept).toEqual(['The name web is already taken'])
  })

  test('errors are announced at once, others politely, and both regions exist from the start', () => {
    const [polite, assertive] = [...screen.getByRole('region').children]
    act(() => toast.ok('Saved'))
    act(() => toast.error('It failed'))
    expect([polite?.textContent, polite?.getAttribute('aria-live')]).toEqual(['Saved', 'polite'])
    expect([assertive?.textContent, assertive?.getAttribute('aria-live')]).toEqual(['It failed', 'assertive'])
  })

  test('an equal text is shown once', () => {
    act(() => {
      toast.error('offline')
      toast.error('offline')
    })
    expect(screen.getAllByText('offline')).toHaveLength(1)
  })
})
