import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { openPage, useConsole } from '../../../test/app.tsx'
import { ValueArea } from './value-area.tsx'

useConsole()

test.each([false, true])('the value of a variable keeps its lines (secret: %s)', async (secret) => {
  function One() {
    const [value, setValue] = useState('one')
    return (
      <ValueArea aria-label="Value" secret={secret} value={value} onChange={(event) => setValue(event.target.value)} />
    )
  }
  await openPage(One)
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Value' })
  fireEvent.change(field, { target: { value: '-----BEGIN-----\nkey\n-----END-----' } })
  expect(field.value.split('\n')).toHaveLength(3)
  expect(field.className.includes('g-veiled')).toBe(secret)
})
