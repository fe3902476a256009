import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keyPhrases } from '../apps/console/src/domains/pipelines/definition/key-phrases.ts'
import { Definition } from '../packages/contract/src/pipelines/definition.ts'
import { fill } from '../packages/phrases/src/fill.ts'
import { format } from 'oxfmt'

/** The part of a JSON Schema that is read here. */
export interface Schema {
  type?: string
  const?: string
  enum?: string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  additionalProperties?: Schema | boolean
  default?: unknown
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  maxProperties?: number
  minimum?: number
  maximum?: number
}

interface Row {
  /** `headers[].name` */
  key: string
  schema: Schema
  required: boolean
}

interface Section {
  name: string
  /** Whether the section describes a type of step, named after it. */
  isType: boolean
  rows: Row[]
}

type Said = 'label' | 'help' | 'both'

/** Keys for which the form's texts are enough, and which of them: label, help or both. */
const saidByForm: Record<string, Said> = {
  handsOn: 'help',
  keepsWorkspace: 'help',
  stackUuid: 'help',
  registryId: 'help',
  'approval.users': 'both',
  'approval.roles': 'both',
  'approval.count': 'label',
  'approval.parameters': 'both',
  'job.labels': 'help',
  'job.image': 'help',
  'job.services': 'help',
  'job.matrix': 'help',
  'job.retries': 'help',
  'job.retries.exitCodes': 'both',
  'step.always': 'help',
  'checkout.depth': 'both',
  'script.environment': 'both',
  'report.files': 'help',
  'report.failOnFailure': 'both',
  'artifact.files': 'help',
  'image.method': 'help',
  'image.base': 'help',
  'image.copy': 'help',
  'image.user': 'both',
  'image.context': 'help',
  'image.arguments': 'help',
  'image.target': 'both',
  'deploy.service': 'help',
  'deploy.confirm': 'both',
  'helm.stackUuid': 'help',
  'helm.release': 'both',
  'blueprint.stackUuid': 'help',
  'cache.fallbacks': 'help',
  'cache.paths': 'both',
  'coverage.files': 'help',
  'coverage.minimum': 'both',
  'coverage.maximumDrop': 'both',
  'scan.files': 'help',
  'scan.limits': 'both',
  'scan.limits.critical': 'label',
  'scan.limits.high': 'label',
  'scan.limits.medium': 'label',
  'scan.limits.low': 'label',
  'code-quality.run': 'help',
  'code-quality.folder': 'help',
  'code-quality.gate': 'help',
  'code-quality.gate.bugs': 'label',
  'code-quality.gate.vulnerabilities': 'label',
  'code-quality.gate.smells': 'label',
  'code-quality.gate.coverage': 'label',
  'code-quality.gate.duplication': 'label',
  'copy.fromRegistryId': 'label',
  'copy.registryId': 'both',
  'http.headers': 'both',
  'http.statuses': 'both',
  'http.timeoutSeconds': 'label',
  'mail.to': 'both',
  'pipeline.pipelineId': 'help',
  'pipeline.branch': 'both',
  'pipeline.wait': 'both',
}

/** The keys of the phrases in which the form describes a key well enough; undefined if it does not. */
function formKeys(name: string): string[] | undefined {
  const said = saidByForm[name]
  if (said === undefined) return undefined
  const [label = '', help = ''] = keyPhrases[name] ?? keyPhrases[`stage.${name}`] ?? keyPhrases[`step.${name}`] ?? []
  return said === 'both' ? [label, help] : [said === 'label' ? label : help]
}

/** Keys whose nested keys have a section of their own, by section and key, or by key alone. */
const elsewhere: Record<string, string> = {
  'definition.stages': 'stage',
  'stage.approval': 'approval',
  when: 'condition',
  steps: 'step',
  'stage.jobs': 'job',
  'job.services': 'service',
  'job.matrix': 'matrix',
}
/** Not expanded: the specification of a service is described with the form of services. */
const closed = 'deploy.create'

const inner = (schema: Schema | undefined): Schema => schema?.items ?? schema ?? {}

const of = <T>(table: Record<string, T>, section: string, key: string): T | undefined => {
  const plain = key.replaceAll('[]', '')
  return table[`${section}.${plain}`] ?? table[plain]
}

function rowsOf(section: string, schema: Schema, before = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const key = before + name
    const row = { key, schema: value, required: schema.required?.includes(name) === true }
    if (of(elsewhere, section, key) !== undefined || `${section}.${key}` === closed) return [row]
    const below = `${key}${value.items ? '[]' : ''}.`
    // One of several shapes suffices, so no key of a single shape is required.
    const parts = [inner(value), ...(value.anyOf ?? []).map((part) => ({ ...part, required: [] }))]
    return [row, ...parts.flatMap((part) => rowsOf(section, part, below))]
  })
}

/** The keys of a definition, section by section, in the order of the schema. */
export function sectionsOf(definition: Schema): Section[] {
  const at = (schema: Schema | undefined, ...path: string[]): Schema =>
    path.reduce((part, key) => inner(part.properties?.[key]), inner(schema))
  const stage = at(definition, 'stages')
  const job = at(stage, 'jobs')
  const types = at(stage, 'steps').oneOf ?? []
  const common = ['name', 'type', 'always', 'when']
  const only = (step: Schema | undefined, isCommon: boolean): Schema => ({
    ...step,
    properties: Object.fromEntries(
      Object.entries(step?.properties ?? {}).filter(([key]) => common.includes(key) === isCommon),
    ),
  })
  const shared = only(types[0], true)
  // Each type of step has its own value of `type`, and its own section.
  shared.properties = { ...shared.properties, type: { type: 'string' } }
  const parts: [name: string, schema: Schema, isType?: boolean][] = [
    ['definition', definition],
    ['stage', stage],
    ['approval', at(stage, 'approval')],
    ['condition', at(stage, 'when')],
    ['job', job],
    ['matrix', at(job, 'matrix')],
    ['service', at(job, 'services')],
    ['step', shared],
    ...types.map((step): [string, Schema, boolean] => [
      step.properties?.['type']?.const ?? '',
      only(step, false),
      true,
    ]),
  ]
  return parts.map(([name, schema, isType = false]) => ({ name, isType, rows: rowsOf(name, schema) }))
}

export type Phrases = Readonly<Record<string, string>>

/** Adds a full stop to a label or a help text. */
const sentence = (text: string): string =>
  /[.。:：]$/u.test(text) ? text : `${text}${/\p{Script=Han}/u.test(text) ? '。' : '.'}`

/** The meaning of a key. Throws if no phrase describes it. */
function meaningOf(section: string, key: string, phrases: Phrases): string {
  const plain = key.replaceAll('[]', '')
  const form = formKeys(`${section}.${plain}`)
  const own = `definition-key.${section}.${plain}`
  const keys: string[] = form ?? (own in phrases ? [own] : (formKeys(plain) ?? [`definition-key.${plain}`]))
  const said = keys.map((phrase) => {
    const text = phrases[phrase]
    if (text === undefined) throw new Error(`no phrase says what ${section}.${key} is: add ${own} in both languages`)
    if (/\{\w+\}/.test(text)) throw new Error(`${phrase} has values, which ${section}.${key} has not: add ${own}`)
    return sentence(text)
  })
  return said.join(/\p{Script=Han}/u.test(said[0] ?? '') ? '' : ' ')
}

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)
const code = (text: unknown): string =>
  `<code>${escaped(typeof text === 'string' ? text : JSON.stringify(text))}</code>`

/** The reference of a page: a heading and a table for each section. */
export function referenceOf(definition: Schema, phrases: Phrases, lang: 'en' | 'zh'): string {
  const number = new Intl.NumberFormat(lang)
  const comma = lang === 'zh' ? '，' : ', '
  const between = lang === 'zh' ? '、' : ', '
  const or = lang === 'zh' ? '或' : ' or '
  const say = (key: string, vars: Record<string, string | number> = {}): string => {
    const text = phrases[key]
    if (text === undefined) throw new Error(`there is no phrase ${key}`)
    return fill(
      text,
      Object.fromEntries(Object.entries(vars).map(([k, v]) => [k, typeof v === 'number' ? number.format(v) : v])),
    )
  }
  const word = (name: string, vars?: Record<string, string | number>) => say(`definition-reference-${name}`, vars)

  const limits = ({ minimum, maximum, minLength, maxLength, minItems, maxItems, maxProperties }: Schema): string[] => {
    const least = minimum === undefined || minimum < 0 ? undefined : minimum
    const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum
    const entries = maxItems ?? maxProperties
    return [
      ...(least !== undefined && most !== undefined ? [word('range', { least, most })] : []),
      ...(least !== undefined && most === undefined ? [word('least', { least })] : []),
      ...(least === undefined && most !== undefined ? [word('most', { most })] : []),
      ...(minLength === undefined && minItems === undefined ? [] : [word('not-empty')]),
      ...(maxLength === undefined ? [] : [word('characters', { most: maxLength })]),
      ...(entries === undefined ? [] : [word('entries', { most: entries })]),
    ]
  }
  const typeOf = (schema: Schema): string => {
    if (schema.oneOf) return word('object')
    // An empty string among several values means that the key may be left empty.
    if (schema.anyOf) return [...new Set(schema.anyOf.filter((branch) => branch.const !== '').map(valueOf))].join(or)
    if (schema.const !== undefined) return code(schema.const)
    if (schema.enum) return word('one-of', { values: schema.enum.map((value) => code(value)).join(between) })
    return word(schema.type === 'string' || schema.type === undefined ? 'text' : schema.type)
  }
  const valueOf = (schema: Schema): string => {
    const names = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
    const each = schema.items ?? names
    if (!each) return [typeOf(schema), ...limits(schema)].join(comma)
    const list = [word(schema.items ? 'list' : 'map'), ...limits(schema)].join(comma)
    return word('each', { list, what: valueOf(each) })
  }
  /** An empty default is the same as leaving the key out. */
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)

  const row = (section: string, { key, schema, required }: Row): string => {
    const link = of(elsewhere, section, key)
    const name = link === undefined ? code(key) : `<a href="#${link}">${code(key)}</a>`
    const usual = isEmpty(schema.default) ? [] : [word('default', { value: code(schema.default) })]
    const cells = [
      required ? `${name}<br />${word('required')}` : name,
      [valueOf(schema), ...usual].join(comma),
      escaped(meaningOf(section, key, phrases)),
    ]
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  }
  const head = ['key', 'value', 'meaning'].map((name) => `<th>${word(name)}</th>`).join('')
  return sectionsOf(definition)
    .map(({ name, isType, rows }) => {
      const heading = isType
        ? `<h3 id="step-${name}">${say(`pipelines-ui-step-${name}`)} <code>${name}</code></h3>`
        : `<h2 id="${name}">${say(`definition-section.${name}`)}</h2>`
      const table = `<table><tr>${head}</tr>${rows.map((one) => row(name, one)).join('')}</table>`
      return `${heading}<p>${escaped(say(`definition-about.${name}`))}</p>${table}`
    })
    .join('\n')
}

/** The type of JSON values is wider than what is read here. */
export const definitionSchema = (): Schema =>
  Definition.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as unknown as Schema

const manual = join(import.meta.dirname, '../docs/manual')
const place = /(<!-- Made by `npm run gen` from the schema\. -->)[^]*(<!-- End -->)/

/** The manual's page about the definition, in both languages; the text around the reference is written by hand. */
export async function definitionPages(): Promise<[path: string, text: string][]> {
  const schema = definitionSchema()
  return Promise.all(
    (['en', 'zh'] as const).map(async (lang): Promise<[string, string]> => {
      const path = join(manual, lang, 'definition.html')
      const module = (await import(`../packages/phrases/src/${lang}.gen.ts`)) as Record<string, Phrases>
      const text = await readFile(path, 'utf8')
      const made = text.replace(
        place,
        (_, begin: string, end: string) => `${begin}\n${referenceOf(schema, module[lang] ?? {}, lang)}\n${end}`,
      )
      const { code, errors } = await format(path, made, { printWidth: 120 })
      if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join('; ')}`)
      return [path, code]
    }),
  )
}
