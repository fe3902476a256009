import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage, settle, useConsole } from '../../test/app.tsx'
import { Tabs } from './tabs.tsx'

useConsole()

test('another tab is opened without the page, keyword and order of the one before', async () => {
  const tabs = ['one', 'two'].map((key) => ({ key, label: key, content: () => <p>content of {key}</p> }))
  const { at } = await openPage(() => <Tabs tabs={tabs} />, '/login-free?page=3&keyword=web&sort=-name&range=6h')
  screen.getByRole('tab', { name: 'two' }).click()
  await screen.findByText('content of two')
  await settle()
  expect(at()).toBe('/login-free?range=6h&tab=two')
})
