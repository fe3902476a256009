import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import { openPage, press, useConsole } from '../../../test/app.tsx'
import { Dialog, useDialog } from '../feedback/dialog.tsx'
import { atHand, ResourceTable } from '../table/resource-table.tsx'
import { Time } from '../time.tsx'

useConsole()

interface Row {
  id: number
  name: string
}
const names = ['web', 'ledger', 'mailer']

/** A table of rows with two buttons each; the second removes the row after a confirmation. */
function Rows() {
  const [rows, setRows] = useState<Row[]>(names.map((name, id) => ({ id, name })))
  const asking = useDialog<Row>()
  return (
    <>
      <ResourceTable
        label="Services"
        query={atHand(rows)}
        rowKey={({ id }) => id}
        columns={[
          { key: 'name', title: 'Name', cell: ({ name }) => <button type="button">{name}</button> },
          { key: 'at', title: 'Changed', cell: () => <Time at="2026-01-02T03:04:05Z" /> },
          {
            key: 'remove',
            title: '',
            cell: (row) => (
              <button type="button" onClick={() => asking.show(row)}>
                remove {row.name}
              </button>
            ),
          },
        ]}
      />
      {asking.open && (
        <Dialog title="Remove it?" onClose={asking.hide}>
          <button
            type="button"
            onClick={() => {
              setRows(rows.filter((row) => row !== asking.open))
              asking.hide()
            }}
          >
            Yes
          </button>
        </Dialog>
      )}
    </>
  )
}

const focused = () => document.activeElement?.textContent
const key = (name: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key: name })
const button = (name: string) => screen.getByRole('button', { name })

describe('the rows of a table', () => {
  const stops = () =>
    [...document.querySelectorAll('tbody button')].filter((one) => (one as HTMLElement).tabIndex === 0)

  test('are one tab stop, and times are none', async () => {
    await openPage(Rows)
    expect(stops().map((one) => one.textContent)).toEqual(['web'])
    expect(document.querySelectorAll('time[tabindex]').length).toBe(0)
    expect(document.querySelector('time')?.title).toMatch(/2026/)
  })

  test('are navigated by arrow keys, and the tab stop stays where the focus was', async () => {
    await openPage(Rows)
    act(() => button('web').focus())
    const way = ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'End', 'ArrowDown', 'Home', 'ArrowUp'].map((name) => {
      key(name)
      return focused()
    })
    expect(way).toEqual(['remove web', 'remove ledger', 'ledger', 'mailer', 'mailer', 'web', 'web'])
    key('ArrowDown')
    expect(stops().map((one) => one.textContent)).toEqual(['ledger'])
  })

  test('keep the focus when a row is removed: the next one gets it', async () => {
    await openPage(Rows)
    act(() => button('remove ledger').focus())
    press('remove ledger')
    await screen.findByRole('dialog')
    act(() => button('Yes').focus())
    press('Yes')
    await waitFor(() => expect(focused()).toBe('remove mailer'))
  })
})

describe('a dialog', () => {
  test('returns the focus to its opener’s place, even if the opener is unmounted meanwhile', async () => {
    await openPage(Rows)
    act(() => button('remove web').focus())
    press('remove web')
    await screen.findByRole('dialog')
    act(() => button('Yes').focus())
    fireEvent.click(button('Close'))
    await waitFor(() => expect(focused()).toBe('remove web'))
  })
})

describe('the focused element', () => {
  function Part({ goes }: { goes: 'removed' | 'disabled' }) {
    const [gone, setGone] = useState(false)
    const isLeft = !(gone && goes === 'removed')
    return (
      <div tabIndex={-1} data-testid="around">
        {isLeft && (
          <button type="button" disabled={gone} onClick={() => setGone(true)}>
            Only once
          </button>
        )}
      </div>
    )
  }

  test.each(['removed', 'disabled'] as const)(
    'passes the focus to the surrounding element when it is %s',
    async (goes) => {
      await openPage(() => <Part goes={goes} />)
      act(() => button('Only once').focus())
      press('Only once')
      await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('around')))
    },
  )
})
