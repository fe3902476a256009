import { render, screen } from '@testing-library/react'
import { Input, Select } from 'antd'
import { expect, test } from 'vitest'
import { t } from '../../api/language.ts'
import { useConsole } from '../../../test/app.tsx'
import { clearButton } from './clear-button.tsx'

useConsole()

test('the clear button of a select or a field has a label', () => {
  render(
    <>
      <Select value="a" options={[{ value: 'a' }]} allowClear={clearButton()} />
      <Input value="a" readOnly={false} onChange={() => undefined} allowClear={clearButton()} />
    </>,
  )
  expect(screen.getAllByRole('button', { name: t('ui-clear-value') })).toHaveLength(2)
})

const sources = import.meta.glob<string>(['../../**/*.tsx', '!../../**/*.test.tsx'], {
  eager: true,
  query: '?raw',
  import: 'default',
})

test('no screen uses the clear button of antd', () => {
  const bare = Object.entries(sources).filter(([, source]) => /\sallowClear(?!=\{[^}]*clearButton\(\)\})/.test(source))
  expect(bare.map(([file]) => file)).toEqual([])
})
