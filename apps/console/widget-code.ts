import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'vite'

/** antd's functions that create a widget's style hook; the second argument creates its rules. */
const makers = new Set(['genStyleHooks', 'genSubStyleComponent', 'genComponentStyleHook'])

/** A style module of antd without its rules, so that the bundler drops everything that only the rules needed. */
export function withoutRules(code: string): string {
  const cuts: { start: number; end: number }[] = []
  new Visitor({
    CallExpression: ({ callee, arguments: [, rules] }) => {
      if (callee.type === 'Identifier' && makers.has(callee.name) && rules) cuts.push(rules)
    },
  }).visit(parseSync('style.js', code).program)
  // From the end, so that positions before a cut stay valid.
  return cuts
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end }) => `${text.slice(0, start)}undefined${text.slice(end)}`, code)
}

/** Replaces a part of a code; throws if it is missing, because another release of a library may differ. */
export function replaced(code: string, part: string | RegExp, by: string): string {
  const found = typeof part === 'string' ? code.includes(part) : part.test(code)
  if (!found) throw new Error(`a build replaces ${part}, which is not there`)
  return code.replace(part, () => by)
}

const antd = join(import.meta.dirname, '../../node_modules/antd/es')
const index = readFileSync(join(antd, 'index.js'), 'utf8')
/** Modules of single widgets, whose folder's module would add related widgets. */
const alone: Record<string, string> = { Dropdown: 'dropdown/dropdown', Input: 'input/Input' }
const moduleOf = (name: string): string => {
  const found = alone[name] ?? new RegExp(`default as ${name} } from ["']\\./(.+?)["']`).exec(index)?.[1]
  if (found === undefined) throw new Error(`antd has no ${name}`)
  return `antd/es/${found}`
}

/**
 * A source that imports each widget, and each type of field, separately: through antd's index, a page would reach all
 * of them, and no chunk with the widgets of lists could be made.
 */
export function withWidgetImports(source: string): string {
  const code = source.replaceAll(/^import \{([^}]+)\} from 'antd'$/gm, (_, names: string) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => {
        const [from = name, as = from] = name.split(' as ')
        return `import ${as} from '${moduleOf(from)}'`
      })
      .join('; '),
  )
  const kinds = new Set([...code.matchAll(/\bInput\.([A-Z]\w+)/g)].map(([, kind = '']) => kind))
  if (kinds.size === 0) return code
  const imports = [...kinds].map((kind) => `import Input${kind} from 'antd/es/input/${kind}'; `)
  return imports.join('') + code.replaceAll(/\bInput\.([A-Z]\w+)/g, 'Input$1')
}
