import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { Modal } from 'antd'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { openPage, useConsole } from '../../../test/app.tsx'
import { Button } from '../button.tsx'

useConsole()
afterEach(() => void vi.useRealTimers())

const hint = () => screen.findByRole('tooltip')
const gone = () => waitFor(() => expect(document.querySelector('.g-hint-place')).toBeNull())

const fakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
/** Longer than the pointer has to rest. */
const rest = () => act(() => void vi.advanceTimersByTime(200))

function Two() {
  const [reason, setReason] = useState('the quota is used up')
  const [there, setThere] = useState(true)
  Object.assign(globalThis, { setReason, setThere })
  return (
    <>
      {there && <Button disabled={reason}>Deploy</Button>}
      <Button icon="refresh" label="Refresh" />
      <Button>Words enough</Button>
    </>
  )
}
const change = globalThis as unknown as { setReason: (words: string) => void; setThere: (there: boolean) => void }

test('resting the pointer on an element shows its hint, which also describes it, until the pointer leaves', async () => {
  await openPage(Two)
  const deploy = screen.getByRole('button', { name: 'Deploy' })
  fireEvent.mouseEnter(deploy)
  expect((await hint()).textContent).toBe('the quota is used up')
  screen.getByRole('button', { description: 'the quota is used up' })

  fireEvent.mouseLeave(deploy)
  fireEvent.mouseEnter(screen.getByRole('button', { name: 'Refresh' }))
  await waitFor(async () => expect((await hint()).textContent).toBe('Refresh'))
  expect(deploy.getAttribute('aria-describedby')).toBeNull()

  fireEvent.mouseLeave(screen.getByRole('button', { name: 'Refresh' }))
  await gone()
})

test('the hint stays while the pointer moves to it, and Escape hides it', async () => {
  await openPage(Two)
  const deploy = screen.getByRole('button', { name: 'Deploy' })
  fireEvent.mouseEnter(deploy)
  const words = await screen.findByText('the quota is used up')
  fakeTimers()
  fireEvent.mouseLeave(deploy)
  fireEvent.mouseEnter(words)
  rest()
  expect(document.querySelector('.g-hint-place')).not.toBeNull()
  vi.useRealTimers()
  fireEvent.keyDown(document.body, { key: 'Escape' })
  await gone()
})

test('a changed hint is updated, and a removed element has none', async () => {
  await openPage(Two)
  fireEvent.mouseEnter(screen.getByRole('button', { name: 'Deploy' }))
  await screen.findByText('the quota is used up')
  act(() => change.setReason('the cluster is away'))
  await screen.findByText('the cluster is away')
  act(() => change.setThere(false))
  await gone()
})

test('a disabled control shows its reason by keyboard too; an enabled one shows no hint', async () => {
  await openPage(Two)
  fakeTimers()
  act(() => screen.getByRole('button', { name: 'Refresh' }).focus())
  act(() => screen.getByRole('button', { name: 'Words enough' }).focus())
  rest()
  expect(document.querySelector('.g-hint-place')).toBeNull()
  act(() => screen.getByRole('button', { name: 'Deploy' }).focus())
  // at once: a screen reader asks now
  screen.getByRole('button', { description: 'the quota is used up' })
})

test('scrolling another element leaves it in place', async () => {
  await openPage(() => (
    <>
      <div data-testid="log" />
      <Button icon="refresh" label="Refresh" />
    </>
  ))
  fireEvent.mouseEnter(screen.getByRole('button', { name: 'Refresh' }))
  await hint()
  fireEvent.scroll(screen.getByTestId('log'))
  fireEvent.scroll(document)
  expect((await hint()).textContent).toBe('Refresh')
})

test('a hint is above a dialog that was opened from another', async () => {
  await openPage(() => (
    <Modal open>
      <Modal open>
        <Button icon="refresh" label="Refresh" />
      </Modal>
    </Modal>
  ))
  fireEvent.mouseEnter(await screen.findByRole('button', { name: 'Refresh' }))
  const height = (one: Element | null | undefined) => Number((one as HTMLElement | undefined)?.style.zIndex)
  const dialogs = [...document.querySelectorAll('.ant-modal-wrap')].map(height)
  expect(dialogs).toHaveLength(2)
  expect(height((await hint()).closest('.ant-tooltip'))).toBeGreaterThan(Math.max(...dialogs))
})
