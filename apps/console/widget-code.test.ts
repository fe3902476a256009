// @vitest-environment node
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { replaced, withWidgetImports, withoutRules } from './widget-code.ts'

test('a style hook keeps its name, variables and options, and creates no rules', () => {
  const hook =
    "export default genStyleHooks('Select', (token, { rootPrefixCls }) => [rules(token)], variables, { unitless })"
  expect(withoutRules(hook)).toBe("export default genStyleHooks('Select', undefined, variables, { unitless })")
})

test('every hook of a module is found, and nothing else is cut', () => {
  const code =
    'const a = genSubStyleComponent([1, 2], rules)\nconst b = other(1, rules)\nconst c = genComponentStyleHook(1, rules, d)'
  expect(withoutRules(code)).toBe(
    'const a = genSubStyleComponent([1, 2], undefined)\nconst b = other(1, rules)\nconst c = genComponentStyleHook(1, undefined, d)',
  )
})

test('antd creates its hooks in the expected form', () => {
  const path = resolve(import.meta.dirname, '../../node_modules/antd/es/button/style/index.js')
  expect(withoutRules(readFileSync(path, 'utf8'))).toMatch(/genStyleHooks\('Button', undefined, prepareComponentToken/)
})

test('a source imports each widget, and each type of field that it uses, separately', () => {
  const source = "import { Form as Antd, Input, type ModalProps } from 'antd'\nconst a = <Input.TextArea rows={2} />"
  expect(withWidgetImports(source)).toBe(
    "import InputTextArea from 'antd/es/input/TextArea'; import Antd from 'antd/es/form'; import Input from 'antd/es/input/Input'\n" +
      'const a = <InputTextArea rows={2} />',
  )
  expect(withWidgetImports("import { t } from './antd.ts'")).toBe("import { t } from './antd.ts'")
  expect(() => withWidgetImports("import { Nothing } from 'antd'")).toThrow('Nothing')
})

test('fails if the text to replace is missing', () => {
  expect(replaced('if (a) b()', 'if (a)', 'if (true)')).toBe('if (true) b()')
  expect(() => replaced('b()', /if .a./, 'if (true)')).toThrow('if .a.')
})
