import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { useConsole } from '../../../../test/app.tsx'
import { StepPlaceContext } from './step-field.tsx'
import { DictionaryField } from './step-parts.tsx'

useConsole()

describe('a dictionary', () => {
  let kept: Record<string, string>

  function Held() {
    const [value, setValue] = useState<Record<string, string>>({ a: '1' })
    kept = value
    return (
      <StepPlaceContext value={{ path: '', problems: new Map(), tried: false, readOnly: false }}>
        <DictionaryField name="inputs" label="Inputs" add="Add" value={value} onChange={setValue} />
        <button type="button" onClick={() => setValue({ a: '1' })}>
          Undo
        </button>
      </StepPlaceContext>
    )
  }

  const names = () => screen.getAllByRole<HTMLInputElement>('textbox', { name: /^Name/ }).map(({ value }) => value)
  const type = (field: string, value: string) => fireEvent.change(screen.getByLabelText(field), { target: { value } })
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

  beforeEach(() => void render(<Held />))

  test('keeps a row whose name begins like another’s', () => {
    press('Add')
    type('Value 2', '2')
    type('Name 2', 'a')
    expect(names()).toEqual(['a', 'a'])
    screen.getByText('The name a appears twice in the list. Keep only one.')
    type('Name 2', 'ab')
    expect(screen.queryByRole('status')).toBeNull()
    expect(kept).toEqual({ a: '1', ab: '2' })
  })

  test('has as many empty rows as were added', () => {
    press('Add')
    press('Add')
    expect(names()).toEqual(['a', '', ''])
  })

  test('shows its value after an undo', () => {
    press('Add')
    type('Name 2', 'b')
    press('Undo')
    expect(names()).toEqual(['a'])
  })
})
