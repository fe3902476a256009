import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openPage, settle, useConsole } from '../../test/app.tsx'
import { Screens, Tabs } from './tabs.tsx'

useConsole()

test('another tab opens without the page, keyword and order of the one before', async () => {
  const tabs = ['one', 'two'].map((key) => ({ key, label: key, content: () => <p>content of {key}</p> }))
  const { at } = await openPage(() => <Tabs tabs={tabs} />, '/login-free?page=3&keyword=web&sort=-name&range=6h')
  screen.getByRole('tab', { name: 'two' }).click()
  await screen.findByText('content of two')
  await settle()
  expect(at()).toBe('/login-free?range=6h&tab=two')
})

test('a tab bar that scrolls shows the open tab', async () => {
  // simulated layout: each entry is 100 wide and the bar shows two of them
  const keys = ['builds', 'images', 'settings']
  vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockImplementation(function (this: HTMLElement) {
    return 100 * keys.indexOf(this.textContent)
  })
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(100)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(200)
  const screens = keys.map((key) => ({ key, label: key, to: `/login-free?${key}` }))
  await openPage(() => <Screens label="Screens of the pipeline" screens={screens} current="settings" />)
  expect(screen.getByRole('navigation', { name: 'Screens of the pipeline' }).scrollLeft).toBe(100)
  expect(screen.getByRole('link', { name: 'settings' }).getAttribute('aria-current')).toBe('page')
})
