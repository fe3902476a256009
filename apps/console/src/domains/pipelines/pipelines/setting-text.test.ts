import { Setting } from '@gantry/contract/pipelines/pipelines'
import { mask } from '@gantry/contract/validators'
import { expect, test } from 'vitest'
import { settingText } from './setting-text.ts'

test('a new secret is marked as new, without its value', () => {
  const repository = { url: 'https://git.example.test/a.git', branch: 'main', username: 'bot' }
  const text = (value: string) =>
    settingText(
      Setting.parse({
        projectName: 'lights',
        repository: { ...repository, password: value },
        variables: [{ name: 'TOKEN', value, secret: true }],
      }),
    )
  expect(text('open sesame')).not.toContain('open sesame')
  expect(text('open sesame')).not.toBe(text(mask))
  expect(text(mask)).toContain(mask)
})
