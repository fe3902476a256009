// @vitest-environment node
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { theme } from 'antd'
import { expect, test } from 'vitest'
import { drawnRules, widgetStyles } from './widget-styles.tsx'

const antd = resolve(import.meta.dirname, '../../node_modules/antd/es')

/** Other widgets import these for a context only. A component that renders them imports them by name. */
const borrowed = ['collapse', 'layout', 'menu'].map((name) => join(antd, name, '/'))
const isBorrowed = (file: string, by: string) =>
  borrowed.some((folder) => file.startsWith(folder) && !by.startsWith(folder))

const asFile = (path: string) =>
  path.endsWith('.js') ? path : existsSync(`${path}.js`) ? `${path}.js` : join(path, 'index.js')

/** antd's style hooks in a module and in all its imports. */
function hooksBehind(module: string): string[] {
  const read = new Set<string>()
  const from = (file: string): string[] => {
    if (read.has(file)) return []
    read.add(file)
    const source = readFileSync(file, 'utf8')
    const own = [...source.matchAll(/gen(?:StyleHooks|ComponentStyleHook|SubStyleComponent)\((\[.+?\]|'\w+')/g)].map(
      ([, names = '']) => {
        const [component, part = component] = names.match(/[\w-]+/g) ?? []
        return `${component}-${part}`
      },
    )
    const imported = [...source.matchAll(/from ["'](\.[^"']+)["']/g)].map(([, path = '']) =>
      asFile(resolve(file, '..', path)),
    )
    return [...own, ...imported.filter((path) => !isBorrowed(path, module)).flatMap(from)]
  }
  return from(module)
}

/** The console's imports from antd, by antd's names. */
const imported = new Set(
  globSync('src/**/*.{ts,tsx}', { cwd: import.meta.dirname })
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .flatMap((source) => [...source.matchAll(/import \{([^}]+)\} from 'antd'/g)])
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().split(' as ')[0] ?? '')
    .filter((name) => /^[A-Z]/.test(name)),
)

/** Unused parts of imported widgets: the console has its own confirmation dialog. */
const undrawn = new Set(['Modal-confirm'])

const index = readFileSync(join(antd, 'index.js'), 'utf8')
const moduleOf = (name: string) =>
  asFile(join(antd, new RegExp(`default as ${name} } from ["'](.+?)["']`).exec(index)?.[1] ?? name))

test('the sheet has the rules of every imported widget, and no others', () => {
  expect([...widgetStyles().hooks].sort()).toEqual(
    [...new Set([...imported].flatMap((name) => hooksBehind(moduleOf(name))))]
      .filter((hook) => !undrawn.has(hook))
      .sort(),
  )
})

test('the sheet fits every theme', () => {
  const other = {
    algorithm: theme.darkAlgorithm,
    token: { colorPrimary: '#123456', fontSize: 17, borderRadius: 1, motion: false },
  }
  expect(widgetStyles(other).css === widgetStyles().css).toBe(true)
})

test('the delivered sheet lacks the rules of unused variants, and has all others', () => {
  const css =
    '.ant-btn,.ant-btn-rtl,.ant-btn:is(.a,.b){top:0;}.ant-col-12{top:0;}@media print{.ant-col-md-1{top:0;}}' +
    '@keyframes x{0%{top:0;}}@media print{.ant-btn{top:0;}.ant-input-filled{top:0;}}'
  expect(drawnRules(css)).toBe(
    '.ant-btn,.ant-btn:is(.a,.b){top:0;}@keyframes x{0%{top:0;}}@media print{.ant-btn{top:0;}}',
  )
})

test('no screen uses a widget without rules', () => {
  const sources = globSync('src/**/*.tsx', { cwd: import.meta.dirname }).map((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  )
  for (const source of sources)
    expect(source).not.toMatch(/variant="(filled|underlined)"|direction="rtl"|(labelCol|wrapperCol)=|<Input\.OTP/)
})
